-- From the first to the last access: when each rank read and wrote, from
-- counters. The time spans of darshan-job-summary.
--
-- rows: one row per log, layer, direction and rank that moved data
-- needs: posix, mpiio, stdio, hdf5_dataset, pnetcdf_var
-- log     | i32 | log  | number of the log in this analysis
-- layer   | str | name | as in `call`
-- op      | str | name | read or write
-- rank    | i32 | rank | rank; -1: files of all ranks, which have one record for all
-- files   | i64 | files | files, or objects of the layer
-- first_s | f64 | s    | start of the first request, since the start of the job
-- last_s  | f64 | s    | end of the last request, since the start of the job
-- span_s  | f64 | s    | last_s - first_s
select log,
       'posix' as layer,
       'read' as op,
       rank,
       count(*)                       as files,
       min(f_read_start_timestamp)    as first_s,
       max(f_read_end_timestamp)      as last_s,
       max(f_read_end_timestamp) - min(f_read_start_timestamp) as span_s
from posix
where f_read_start_timestamp is not null
  and f_read_end_timestamp is not null
group by log, rank
union all
select log,
       'posix' as layer,
       'write' as op,
       rank,
       count(*)                       as files,
       min(f_write_start_timestamp)    as first_s,
       max(f_write_end_timestamp)      as last_s,
       max(f_write_end_timestamp) - min(f_write_start_timestamp) as span_s
from posix
where f_write_start_timestamp is not null
  and f_write_end_timestamp is not null
group by log, rank
union all
select log,
       'mpiio' as layer,
       'read' as op,
       rank,
       count(*)                       as files,
       min(f_read_start_timestamp)    as first_s,
       max(f_read_end_timestamp)      as last_s,
       max(f_read_end_timestamp) - min(f_read_start_timestamp) as span_s
from mpiio
where f_read_start_timestamp is not null
  and f_read_end_timestamp is not null
group by log, rank
union all
select log,
       'mpiio' as layer,
       'write' as op,
       rank,
       count(*)                       as files,
       min(f_write_start_timestamp)    as first_s,
       max(f_write_end_timestamp)      as last_s,
       max(f_write_end_timestamp) - min(f_write_start_timestamp) as span_s
from mpiio
where f_write_start_timestamp is not null
  and f_write_end_timestamp is not null
group by log, rank
union all
select log,
       'stdio' as layer,
       'read' as op,
       rank,
       count(*)                       as files,
       min(f_read_start_timestamp)    as first_s,
       max(f_read_end_timestamp)      as last_s,
       max(f_read_end_timestamp) - min(f_read_start_timestamp) as span_s
from stdio
where f_read_start_timestamp is not null
  and f_read_end_timestamp is not null
group by log, rank
union all
select log,
       'stdio' as layer,
       'write' as op,
       rank,
       count(*)                       as files,
       min(f_write_start_timestamp)    as first_s,
       max(f_write_end_timestamp)      as last_s,
       max(f_write_end_timestamp) - min(f_write_start_timestamp) as span_s
from stdio
where f_write_start_timestamp is not null
  and f_write_end_timestamp is not null
group by log, rank
union all
select log,
       'hdf5_dataset' as layer,
       'read' as op,
       rank,
       count(*)                       as files,
       min(f_read_start_timestamp)    as first_s,
       max(f_read_end_timestamp)      as last_s,
       max(f_read_end_timestamp) - min(f_read_start_timestamp) as span_s
from hdf5_dataset
where f_read_start_timestamp is not null
  and f_read_end_timestamp is not null
group by log, rank
union all
select log,
       'hdf5_dataset' as layer,
       'write' as op,
       rank,
       count(*)                       as files,
       min(f_write_start_timestamp)    as first_s,
       max(f_write_end_timestamp)      as last_s,
       max(f_write_end_timestamp) - min(f_write_start_timestamp) as span_s
from hdf5_dataset
where f_write_start_timestamp is not null
  and f_write_end_timestamp is not null
group by log, rank
union all
select log,
       'pnetcdf_var' as layer,
       'read' as op,
       rank,
       count(*)                       as files,
       min(f_read_start_timestamp)    as first_s,
       max(f_read_end_timestamp)      as last_s,
       max(f_read_end_timestamp) - min(f_read_start_timestamp) as span_s
from pnetcdf_var
where f_read_start_timestamp is not null
  and f_read_end_timestamp is not null
group by log, rank
union all
select log,
       'pnetcdf_var' as layer,
       'write' as op,
       rank,
       count(*)                       as files,
       min(f_write_start_timestamp)    as first_s,
       max(f_write_end_timestamp)      as last_s,
       max(f_write_end_timestamp) - min(f_write_start_timestamp) as span_s
from pnetcdf_var
where f_write_start_timestamp is not null
  and f_write_end_timestamp is not null
group by log, rank
