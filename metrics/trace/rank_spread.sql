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
with used as (
  select log,
         file_id,
         layer,
         op,
         count(*)    as ranks,
         sum(calls)  as calls,
         sum(bytes)  as bytes,
         max(bytes)  as top_bytes,
         max(time_s) as slowest_s,
         avg(time_s) as mean_s,
         min(rank)   as rank
  from file_rank
  group by log, file_id, layer, op
),
grouped as ( -- a process that is not compared is a group of its own
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
  join used as u -- most files of a job with very many are of one rank
    on u.log = f.log
    and u.file_id = f.file_id
    and u.layer = f.layer
    and u.op = f.op
  left join peer_group as p
    on p.log = f.log
    and p.rank = f.rank
  where u.ranks > 1
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
named as (
  select r.log,
         r.file_id,
         r.layer,
         r.op,
         max(s.ranks)     as ranks,
         max(s.calls)     as calls,
         max(s.bytes)     as bytes,
         max(s.top_bytes) as top_bytes,
         max(s.slowest_s) as slowest_s,
         max(s.mean_s)    as mean_s,
         min(case when r.bytes = s.top_bytes then r.rank end)  as top_rank,
         min(case when r.time_s = s.slowest_s then r.rank end) as slowest_rank
  from grouped as r
  join placed as s
    on s.log = r.log
    and s.file_id = r.file_id
    and s.layer = r.layer
    and s.op = r.op
    and s.peer_group = r.peer_group
  where s.place = 1
  group by r.log, r.file_id, r.layer, r.op
),
spread as (
  select log,
         file_id,
         layer,
         op,
         ranks,
         calls,
         bytes,
         top_bytes,
         slowest_s,
         mean_s,
         case when top_bytes is not null then rank end as top_rank,
         case when slowest_s is not null then rank end as slowest_rank
  from used
  where ranks = 1
  union all
  select log,
         file_id,
         layer,
         op,
         ranks,
         calls,
         bytes,
         top_bytes,
         slowest_s,
         mean_s,
         top_rank,
         slowest_rank
  from named
)
select log,
       file_id,
       layer,
       op,
       ranks,
       calls,
       bytes,
       top_rank,
       top_bytes,
       ratio(top_bytes, bytes)               as top_ratio,
       ratio(top_bytes, ratio(bytes, ranks)) as bytes_imbalance_ratio,
       slowest_rank,
       slowest_s,
       mean_s,
       ratio(slowest_s, mean_s)              as time_imbalance_ratio,
       slowest_s - mean_s                    as lost_s
from spread
