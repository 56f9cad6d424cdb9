-- What the last rank of each round of collective MPI-IO calls does before it enters: calls on
-- files, or something else, such as computing.
--
-- The time since the end of its call before, less its calls in it. The waiting of the others in a
-- round is divided alike. The first round begins with the log. Only logs with the times of single calls have rows.
--
-- rows: one row per log, file and direction with collective calls of several ranks
-- needs: mpiio
-- also: call
-- log        | i32 | log     | number of the log in this analysis
-- file_id    | u64 | file_id | joins with `file`
-- op         | str | name    | read or write
-- waited_s   | f64 | s       | waiting for the last rank, mean of the ranks
-- computed_s | f64 | s       | of this, while the last rank makes no calls
with collective as (
  select log, file_id, op, rank, call_id, parent_id, start_s, end_s,
         row_number() over (partition by log, file_id, op, rank order by start_s) as round
  from call
  where layer = 'mpiio'
    and op in ('read', 'write')
    and is_collective
    and log in (select log from mpiio)
),
around as ( -- calls of libraries in which collective calls are made, two deep
  select log, parent_id as call_id
  from collective
  where parent_id is not null
  group by log, parent_id
),
above as (
  select c.log, c.parent_id as call_id
  from call as c
  join around
    on around.log = c.log
    and around.call_id = c.call_id
  where c.parent_id is not null
  group by c.log, c.parent_id
),
marked as (
  select c.log, c.rank, c.start_s as at_s, c.busy_s, 0 as mark, cast(null as bigint) as round, c.file_id, c.op
  from call as c
  left join around
    on around.log = c.log
    and around.call_id = c.call_id
  left join above
    on above.log = c.log
    and above.call_id = c.call_id
  where c.parent_id is null
    and around.call_id is null
    and above.call_id is null
    and not (c.layer = 'mpiio' and coalesce(c.is_collective, false))
    and c.log in (select log from collective)
  union all
  select log, rank, start_s, 0.0, 1, round, file_id, op
  from collective
  union all
  select log, rank, end_s, 0.0, 2, round, file_id, op
  from collective
),
summed as (
  select log, rank, at_s, mark, round, file_id, op,
         sum(busy_s) over (partition by log, rank order by at_s, mark rows between unbounded preceding and current row) as calls_s
  from marked
),
entered as (
  select b.log, b.file_id, b.op, b.rank, b.round, b.at_s,
         b.at_s - coalesce(e.at_s, 0.0)       as gap_s,
         b.calls_s - coalesce(e.calls_s, 0.0) as calls_s,
         row_number() over (partition by b.log, b.file_id, b.op, b.round order by b.at_s desc, b.rank) as place
  from summed as b
  left join summed as e
    on e.log = b.log
    and e.file_id = b.file_id
    and e.op = b.op
    and e.rank = b.rank
    and e.mark = 2
    and e.round = b.round - 1
  where b.mark = 1
),
waited as (
  select log, file_id, op, round,
         count(*)                as ranks,
         max(at_s) - avg(at_s)   as wait_s
  from entered
  group by log, file_id, op, round
)
select w.log,
       w.file_id,
       w.op,
       sum(w.wait_s) as waited_s,
       sum(w.wait_s * greatest(0.0, 1.0 - coalesce(ratio(l.calls_s, l.gap_s), 0.0))) as computed_s
from waited as w
join entered as l
  on l.log = w.log
  and l.file_id = w.file_id
  and l.op = w.op
  and l.round = w.round
  and l.place = 1
where w.ranks > 1
group by w.log, w.file_id, w.op
