-- Directories by what is opened in them.
--
-- Names that the log cut or does not hold, and files of the kernel (/proc, /sys, /dev), are
-- left out. Times are those of the slowest rank, as in `file_size_class`.
--
-- rows: one row per log and directory with at least one file
-- needs: opened_file
-- log           | i32 | log   | number of the log in this analysis
-- directory     | str | path  | directory
-- kind          | str | name  | python_module: below site-packages, dist-packages or a library of Python, or most of its files are modules; else other
-- files         | i64 | files | files
-- written_files | i64 | files | files that were written, or opened and left empty | not recorded
-- ranks         | i64 | ranks | ranks with files of their own in it
-- opens         | i64 | calls | opens | not recorded
-- stats         | i64 | calls | stat calls | not recorded
-- bytes         | i64 | bytes | bytes moved | not recorded
-- metadata_s    | f64 | s     | time in metadata calls of the slowest rank | not recorded
-- time_s        | f64 | s     | time in calls of the slowest rank | not recorded
select log,
       directory,
       case
         when strpos(directory, '/site-packages') > 0 then 'python_module'
         when strpos(directory, '/dist-packages') > 0 then 'python_module'
         when strpos(directory, '/lib/python') > 0 then 'python_module'
         when strpos(directory, '/lib64/python') > 0 then 'python_module'
         when sum(module_files) * 2 > sum(files) then 'python_module'
         else 'other'
       end                as kind,
       sum(files)         as files,
       sum(written_files) as written_files,
       sum(case when owner_rank >= 0 then 1 else 0 end) as ranks,
       sum(opens)         as opens,
       sum(stats)         as stats,
       sum(bytes)         as bytes,
       case when count(metadata_s) > 0
            then coalesce(max(case when owner_rank >= 0 then metadata_s end), 0)
              + coalesce(sum(case when owner_rank < 0 then metadata_s end), 0) end as metadata_s,
       case when count(time_s) > 0
            then coalesce(max(case when owner_rank >= 0 then time_s end), 0)
              + coalesce(sum(case when owner_rank < 0 then time_s end), 0) end as time_s
from (
  select log,
         dir_name(path)                          as directory,
         owner_rank,
         count(*)                                as files,
         sum(case when path like '%.py' or path like '%.pyc' then 1 else 0 end) as module_files,
         sum(case when read_bytes = 0 then 1 else 0 end) as written_files,
         sum(opens)                              as opens,
         sum(stats)                              as stats,
         sum(read_bytes + written_bytes)         as bytes,
         sum(metadata_s)                         as metadata_s,
         sum(slowest_s)                          as time_s
  from opened_file
  where path is not null
    and path not like '/proc/%'
    and path not like '/sys/%'
    and (path not like '/dev/%' or path like '/dev/shm/%')
  group by 1, 2, 3
) as owned
group by log, directory
