-- Which file systems hold the data, and how much could be staged to a faster tier.
--
-- A file that a job only reads can be staged in before it, one that it only writes
-- staged out after it.
--
-- number: 19
-- needs: record
-- picture: stacked x=mount_class y=read_only_bytes,write_only_bytes,mixed_bytes
-- system            | str | name  | system
-- mount_class       | str | name  | kind of file system, as in record
-- files             | i64 | files | files with bytes, once per job
-- stageable_ratio   | f64 | 1     | part of them that is only read or only written
-- read_only_bytes   | f64 | bytes | bytes of files that are only read
-- write_only_bytes  | f64 | bytes | bytes of files that are only written
-- mixed_bytes       | f64 | bytes | bytes of files that are read and written
select system,
       mount_class,
       count(*) as files,
       ratio(count(*) filter (where coalesce(bytes_read, 0) = 0 or coalesce(bytes_written, 0) = 0), count(*)) as stageable_ratio,
       coalesce(sum(cast(bytes_read as double)) filter (where coalesce(bytes_written, 0) = 0), 0.0)           as read_only_bytes,
       coalesce(sum(cast(bytes_written as double)) filter (where coalesce(bytes_read, 0) = 0), 0.0)           as write_only_bytes,
       coalesce(sum(cast(bytes_read as double) + bytes_written) filter (where bytes_read > 0 and bytes_written > 0), 0.0) as mixed_bytes
from record
where coalesce(bytes_read, 0) + coalesce(bytes_written, 0) > 0
group by system, mount_class
order by system, mount_class
