-- Whether jobs share files or have one per process, and what they read globally.
--
-- number: 10
-- needs: job
-- picture: stacked x=month y=shared_bytes_read,own_bytes_read,shared_bytes_written,own_bytes_written
-- system               | str | name  | system
-- year                 | i64 | year  | year of the start
-- month                | i64 | month | month
-- shared_files         | i64 | files | files that several ranks of a job used
-- own_files            | i64 | files | files that one rank used
-- shared_bytes_read    | f64 | bytes | bytes read from files of several ranks (global reads)
-- own_bytes_read       | f64 | bytes | bytes read from files of one rank (local reads)
-- shared_bytes_written | f64 | bytes | bytes written to files of several ranks
-- own_bytes_written    | f64 | bytes | bytes written to files of one rank
-- jobs_file_per_process | i64 | jobs | parallel jobs with at least one own file for every process
select system,
       year,
       month,
       sum(files_shared) as shared_files,
       sum(files_unique) as own_files,
       sum(cast(bytes_read_shared as double))    as shared_bytes_read,
       sum(cast(bytes_read as double) - bytes_read_shared) as own_bytes_read,
       sum(cast(bytes_written_shared as double)) as shared_bytes_written,
       sum(cast(bytes_written as double) - bytes_written_shared) as own_bytes_written,
       sum(case when nprocs > 1 and files_unique >= nprocs then 1 else 0 end) as jobs_file_per_process
from job
group by system, year, month
order by system, year, month
