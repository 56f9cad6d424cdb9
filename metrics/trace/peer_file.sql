-- What each rank read and wrote in each file, of those that can be compared.
--
-- As `file_rank`, without processes that are not compared: see
-- `peer_group`. Whoever compares ranks groups by peer_group.
--
-- rows: one row per log, file, layer, direction and rank with at least one call
-- needs: file_rank, peer_group
-- requires: file_rank
-- log        | i32 | log     | number of the log in this analysis
-- peer_group | i32 | index   | group of ranks or processes that are compared, as in `peer_group`
-- file_id    | u64 | file_id | joins with `file`
-- layer      | str | name    | as in `call`
-- op         | str | name    | read or write
-- rank       | i32 | rank    | rank
-- calls      | i64 | calls   | requests
-- bytes      | i64 | bytes   | bytes moved
-- time_s     | f64 | s       | time in the requests
-- first_s    | f64 | s       | start of the first request, since the start of the job
-- last_s     | f64 | s       | end of the last request, since the start of the job
select f.log,
       coalesce(p.peer_group, 0) as peer_group,
       f.file_id,
       f.layer,
       f.op,
       f.rank,
       f.calls,
       f.bytes,
       f.time_s,
       f.first_s,
       f.last_s
from file_rank as f
left join peer_group as p
  on p.log = f.log
  and p.rank = f.rank
where p.rank is null
  or p.peer_group is not null
