-- What removing, renaming, making and linking files and folders takes.
--
-- Counters hold none of these calls: only recordings of `diya run` have rows. Files of
-- the kernel (/proc, /sys, /dev) are left out.
--
-- rows: one row per log and rank that made such calls
-- needs: file
-- also: op_count
-- log    | i32 | log   | number of the log in this analysis
-- rank   | i32 | rank  | rank
-- calls  | i64 | calls | unlink, rmdir, rename, mkdir, link and symlink calls
-- files  | i64 | files | files and folders that they are about
-- time_s | f64 | s     | time in them
select c.log,
       c.rank,
       sum(c.calls)              as calls,
       count(distinct c.file_id) as files,
       sum(c.time_s)             as time_s
from op_count as c
left join file
  on file.log = c.log
  and file.file_id = c.file_id
where c.layer = 'posix'
  and c.op in ('unlink', 'rename', 'make', 'link')
  and coalesce(file.fs_type, '') not in ('proc', 'sysfs', 'devtmpfs')
group by c.log, c.rank
