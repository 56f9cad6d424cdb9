-- Average I/O per process, split by whether the file is shared: the table of
-- that name in darshan-job-summary.
--
-- A file counts as shared when all ranks of the job have one record for it,
-- as Darshan's summary does it; files of some ranks are in `independent`.
--
-- rows: one row per log, layer of posix, mpiio or stdio, sharing and kind of call with time or bytes
-- needs: file_use, job
-- log           | i32 | log   | number of the log in this analysis
-- layer         | str | name  | as in `file_use`
-- sharing       | str | name  | shared or independent
-- op            | str | name  | read, write or metadata
-- process_s     | f64 | s     | mean time in the calls per process | not recorded, or the number of processes is not recorded
-- process_bytes | f64 | bytes | mean bytes per process | metadata moves none, or as process_s
select u.log,
       u.layer,
       u.sharing,
       o.op,
       ratio(case o.op when 'read' then u.read_s when 'write' then u.write_s else u.metadata_s end, job.nprocs) as process_s,
       ratio(case o.op when 'read' then u.bytes_read when 'write' then u.bytes_written end, job.nprocs) as process_bytes
from (
  select log,
         layer,
         case when rank < 0 then 'shared' else 'independent' end as sharing,
         sum(read_s)        as read_s,
         sum(write_s)       as write_s,
         sum(metadata_s)    as metadata_s,
         sum(bytes_read)    as bytes_read,
         sum(bytes_written) as bytes_written
  from file_use
  where layer in ('posix', 'mpiio', 'stdio')
  group by log, layer, case when rank < 0 then 'shared' else 'independent' end
) as u
join job
  on job.log = u.log
cross join (values ('read'), ('write'), ('metadata')) as o(op)
where case o.op
        when 'read' then coalesce(u.read_s, 0) + coalesce(u.bytes_read, 0)
        when 'write' then coalesce(u.write_s, 0) + coalesce(u.bytes_written, 0)
        else coalesce(u.metadata_s, 0)
      end > 0
