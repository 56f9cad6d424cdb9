-- Which folders are read again by other jobs, and which programs hand files on.
--
-- number: 23
-- needs: record
-- picture: table
-- param: min_jobs | 2 | jobs | files of one job are not reused
-- param: most | 100 | rows | the folders with the most bytes
-- system         | str | name  | system
-- prefix         | str | path  | mount point and first folders
-- files          | i64 | files | files that at least min_jobs jobs used
-- jobs_per_file  | f64 | jobs  | mean number of jobs of such a file
-- bytes_read     | f64 | bytes | bytes read from these files
-- handed_on_files | i64 | files | files that one job wrote and a later one read
with used as (
  select system,
         file_hash,
         min(prefix)              as prefix,
         count(*)                 as jobs,
         sum(cast(coalesce(bytes_read, 0) as double)) as bytes_read,
         min(case when bytes_written > 0 then start_time end) as first_written,
         max(case when bytes_read > 0 and coalesce(bytes_written, 0) = 0 then start_time end) as last_read
  from record
  where mount_class not in ('system', 'stream')
  group by system, file_hash
  having count(*) >= $min_jobs
)
select system,
       coalesce(prefix, 'not recorded') as prefix,
       count(*)        as files,
       avg(jobs)       as jobs_per_file,
       sum(bytes_read) as bytes_read,
       sum(case when last_read > first_written then 1 else 0 end) as handed_on_files
from used
group by system, coalesce(prefix, 'not recorded')
order by bytes_read desc, system, prefix
limit $most
