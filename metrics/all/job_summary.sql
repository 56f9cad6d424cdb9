-- The numbers of a job summary, one row per job and layer: bytes and time per
-- process, span of time, files.
--
-- rows: one row per log and layer with records
-- needs: file_layer, layer_load, job
-- log                   | i32 | log     | number of the log in this analysis
-- layer                 | str | name    | as in `file_use`
-- files                 | i64 | files   | files, or objects of the layer
-- unique_files          | i64 | files   | files of one rank
-- shared_files          | i64 | files   | files of several ranks
-- bytes_read            | i64 | bytes   | bytes read | not recorded
-- bytes_written         | i64 | bytes   | bytes written | not recorded
-- process_bytes         | f64 | bytes   | mean bytes moved per process | not recorded
-- process_read_s        | f64 | s       | mean time in reads per process | not recorded
-- process_write_s       | f64 | s       | mean time in writes per process | not recorded
-- process_metadata_s    | f64 | s       | mean time in metadata calls per process | not recorded
-- first_s               | f64 | s       | start of the first call, since the start of the job | not recorded
-- last_s                | f64 | s       | end of the last call, since the start of the job | not recorded
-- span_s                | f64 | s       | last_s - first_s | not recorded
-- slowest_s             | f64 | s       | time by the slowest rank, as in `layer_load` | not recorded
-- bandwidth_bytes_per_s | f64 | bytes/s | performance estimate, as in `layer_load` | no time or no bytes
select l.log,
       l.layer,
       f.files,
       f.unique_files,
       f.files - f.unique_files              as shared_files,
       l.bytes_read,
       l.bytes_written,
       ratio(l.bytes_read + l.bytes_written, job.nprocs) as process_bytes,
       ratio(l.read_s, job.nprocs)           as process_read_s,
       ratio(l.write_s, job.nprocs)          as process_write_s,
       ratio(l.metadata_s, job.nprocs)       as process_metadata_s,
       f.first_s,
       f.last_s,
       f.last_s - f.first_s                  as span_s,
       l.slowest_s,
       l.bandwidth_bytes_per_s
from layer_load as l
join job
  on job.log = l.log
join (
  select log,
         layer,
         count(*)                                             as files,
         sum(case when sharing = 'unique' then 1 else 0 end)  as unique_files,
         min(first_s)                                         as first_s,
         max(last_s)                                          as last_s
  from file_layer
  group by log, layer
) as f
  on f.log = l.log
  and f.layer = l.layer
