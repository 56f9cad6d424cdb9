-- What each rank read and wrote in each file, also in files that all share.
--
-- Needs single calls: the counters of a shared file are sums over ranks.
--
-- rows: one row per log, file, layer, direction and rank with at least one call
-- needs: call
-- log       | i32 | log     | number of the log in this analysis
-- file_id   | u64 | file_id | joins with `file`
-- layer     | str | name    | as in `call`
-- op        | str | name    | read or write
-- rank      | i32 | rank    | rank
-- calls     | i64 | calls   | requests
-- bytes     | i64 | bytes   | bytes moved | not recorded
-- time_s    | f64 | s       | time in the requests
-- longest_s | f64 | s       | time of the longest request, or run of tiny requests
-- first_s   | f64 | s       | start of the first request, since the start of the job
-- last_s    | f64 | s       | end of the last request, since the start of the job
select log,
       file_id,
       layer,
       op,
       rank,
       sum(calls)      as calls,
       sum(size_bytes) as bytes,
       sum(busy_s)     as time_s,
       max(busy_s)     as longest_s,
       min(start_s)    as first_s,
       max(end_s)      as last_s
from call
where op in ('read', 'write')
group by log, file_id, layer, op, rank
