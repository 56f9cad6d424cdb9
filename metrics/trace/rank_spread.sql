-- How equally the ranks share the work in each file.
--
-- Means are over the ranks with requests, so that a file of one rank is not
-- out of balance. Whether few ranks are right is another question: they may
-- be the aggregators of collective I/O (see `aggregation`). Ranks of one job step
-- are compared, or processes that do comparable work (see `peer_group`): of
-- several groups in a file, those that spend the most time in it.
--
-- rows: one row per log, file, layer and direction with at least one request
-- needs: file_rank, peer_group
-- requires: file_rank
-- log                  | i32 | log     | number of the log in this analysis
-- file_id              | u64 | file_id | joins with `file`
-- layer                | str | name    | as in `call`
-- op                   | str | name    | read or write
-- ranks                | i64 | ranks   | ranks with requests
-- calls                | i64 | calls   | requests
-- bytes                | i64 | bytes   | bytes moved | not recorded
-- top_rank             | i32 | rank    | rank that moved the most bytes | bytes are not recorded
-- top_bytes            | i64 | bytes   | bytes it moved | not recorded
-- top_ratio            | f64 | 1       | its share of all bytes | not recorded, or no byte was moved
-- bytes_imbalance_ratio | f64 | 1      | top_bytes over the mean, 1 when all are alike | not recorded, or no byte was moved
-- slowest_rank         | i32 | rank    | rank with the most time in requests
-- slowest_s            | f64 | s       | its time
-- mean_s               | f64 | s       | mean time of the ranks with requests
-- time_imbalance_ratio | f64 | 1       | slowest_s over mean_s, 1 when all are alike | no time was measured
-- lost_s               | f64 | s       | slowest_s - mean_s: what perfect balance would save at most
with grouped as ( -- a process that is not compared is a group of its own
  select f.log,
         f.file_id,
         f.layer,
         f.op,
         f.rank,
         f.calls,
         f.bytes,
         f.time_s,
         case when p.rank is null then 0 else coalesce(p.peer_group, -1 - p.rank) end as peer_group
  from file_rank as f
  left join peer_group as p
    on p.log = f.log
    and p.rank = f.rank
),
placed as (
  select log,
         file_id,
         layer,
         op,
         peer_group,
         count(*)    as ranks,
         sum(calls)  as calls,
         sum(bytes)  as bytes,
         max(bytes)  as top_bytes,
         max(time_s) as slowest_s,
         avg(time_s) as mean_s,
         row_number() over (partition by log, file_id, layer, op order by sum(time_s) desc, peer_group) as place
  from grouped
  group by log, file_id, layer, op, peer_group
),
spread as (
  select log,
         file_id,
         layer,
         op,
         peer_group,
         ranks,
         calls,
         bytes,
         top_bytes,
         slowest_s,
         mean_s
  from placed
  where place = 1
),
named as (
  select r.log,
         r.file_id,
         r.layer,
         r.op,
         min(case when r.bytes = s.top_bytes then r.rank end)  as top_rank,
         min(case when r.time_s = s.slowest_s then r.rank end) as slowest_rank
  from grouped as r
  join spread as s
    on s.log = r.log
    and s.file_id = r.file_id
    and s.layer = r.layer
    and s.op = r.op
    and s.peer_group = r.peer_group
  group by r.log, r.file_id, r.layer, r.op
)
select s.log,
       s.file_id,
       s.layer,
       s.op,
       s.ranks,
       s.calls,
       s.bytes,
       named.top_rank,
       s.top_bytes,
       ratio(s.top_bytes, s.bytes)                 as top_ratio,
       ratio(s.top_bytes, ratio(s.bytes, s.ranks)) as bytes_imbalance_ratio,
       named.slowest_rank,
       s.slowest_s,
       s.mean_s,
       ratio(s.slowest_s, s.mean_s)                as time_imbalance_ratio,
       s.slowest_s - s.mean_s                      as lost_s
from spread as s
join named
  on named.log = s.log
  and named.file_id = s.file_id
  and named.layer = s.layer
  and named.op = s.op
