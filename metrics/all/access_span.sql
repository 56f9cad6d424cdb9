-- From the first to the last access: when each rank read and wrote, from
-- counters. The time spans of darshan-job-summary.
--
-- rows: one row per log, layer, direction and rank that moved data
-- needs: record_span
-- log     | i32 | log  | number of the log in this analysis
-- layer   | str | name | as in `call`
-- op      | str | name | read or write
-- rank    | i32 | rank | rank; -1: files of all ranks, which have one record for all
-- files   | i64 | files | files, or objects of the layer
-- first_s | f64 | s    | start of the first request, since the start of the job
-- last_s  | f64 | s    | end of the last request, since the start of the job
-- span_s  | f64 | s    | last_s - first_s
select log,
       layer,
       'read' as op,
       rank,
       count(*) as files,
       min(read_first_s) as first_s,
       max(read_last_s) as last_s,
       max(read_last_s) - min(read_first_s) as span_s
from record_span
where read_first_s is not null
  and read_last_s is not null
group by log, layer, rank
union all
select log,
       layer,
       'write' as op,
       rank,
       count(*) as files,
       min(write_first_s) as first_s,
       max(write_last_s) as last_s,
       max(write_last_s) - min(write_first_s) as span_s
from record_span
where write_first_s is not null
  and write_last_s is not null
group by log, layer, rank
