-- Bytes and time per file system.
--
-- rows: one row per log, mount point and layer of posix, stdio, mpiio, dfs or daos
-- needs: file_use, file
-- log           | i32 | log   | number of the log in this analysis
-- mount         | str | path  | mount point | no mount point holds the files
-- fs_type       | str | name  | type of the file system | no mount point holds the files
-- layer         | str | name  | as in `file_use`
-- files         | i64 | files | files
-- bytes_read    | i64 | bytes | bytes read | not recorded
-- bytes_written | i64 | bytes | bytes written | not recorded
-- transfers     | i64 | calls | reads and writes | not recorded
-- opens         | i64 | calls | opens | not recorded
-- time_s        | f64 | s     | time in calls, summed over ranks | not recorded
-- metadata_s    | f64 | s     | part of it in metadata calls | not recorded
select u.log,
       file.mount,
       file.fs_type,
       u.layer,
       count(distinct u.file_id)                as files,
       sum(u.bytes_read)                        as bytes_read,
       sum(u.bytes_written)                     as bytes_written,
       sum(u.reads + u.writes)                  as transfers,
       sum(u.opens)                             as opens,
       sum(u.read_s + u.write_s + u.metadata_s) as time_s,
       sum(u.metadata_s)                        as metadata_s
from file_use as u
left join file
  on file.log = u.log
  and file.file_id = u.file_id
where u.layer in ('posix', 'stdio', 'mpiio', 'dfs', 'daos')
group by u.log, file.mount, file.fs_type, u.layer
