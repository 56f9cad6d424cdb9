-- Bytes and time per file system.
--
-- rows: one row per log, mount point and layer of posix, stdio, mpiio, dfs or daos
-- needs: file_use, file
-- log           | i32 | log   | number of the log in this analysis
-- mount         | str | path  | mount point | no mount point holds the files
-- fs_type       | str | name  | type of the file system | no mount point holds the files
-- layer         | str | name  | as in `file_use`
-- files         | i64 | files | files
-- read_files    | i64 | files | files that were read
-- written_files | i64 | files | files that were written
-- bytes_read    | i64 | bytes | bytes read | not recorded
-- bytes_written | i64 | bytes | bytes written | not recorded
-- read_ratio    | f64 | 1     | share of the bytes that this layer read anywhere | none were read
-- written_ratio | f64 | 1     | share of the bytes that this layer wrote anywhere | none were written
-- transfers     | i64 | calls | reads and writes | not recorded
-- opens         | i64 | calls | opens | not recorded
-- time_s        | f64 | s     | time in calls, summed over ranks | not recorded
-- metadata_s    | f64 | s     | part of it in metadata calls | not recorded
select u.log,
       file.mount,
       file.fs_type,
       u.layer,
       count(distinct u.file_id)                as files,
       count(distinct case when u.bytes_read > 0 then u.file_id end)    as read_files,
       count(distinct case when u.bytes_written > 0 then u.file_id end) as written_files,
       sum(u.bytes_read)                        as bytes_read,
       sum(u.bytes_written)                     as bytes_written,
       ratio(sum(u.bytes_read), sum(sum(u.bytes_read)) over (partition by u.log, u.layer))       as read_ratio,
       ratio(sum(u.bytes_written), sum(sum(u.bytes_written)) over (partition by u.log, u.layer)) as written_ratio,
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
