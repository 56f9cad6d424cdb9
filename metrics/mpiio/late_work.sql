-- What the last rank of each round of collective MPI-IO calls does before it enters: calls on
-- files, or something else, such as computing.
--
-- The time since the end of its call before, less its calls in it. The waiting of the others in a
-- round is divided alike. The first round begins with the log. Only logs with the times of single calls have rows.
--
-- rows: one row per log, file and direction with collective calls of several ranks
-- needs: collective_entry
-- also: call
-- log        | i32 | log     | number of the log in this analysis
-- file_id    | u64 | file_id | joins with `file`
-- op         | str | name    | read or write
-- waited_s   | f64 | s       | waiting for the last rank, mean of the ranks
-- computed_s | f64 | s       | of this, while the last rank makes no calls
with around as ( -- calls of libraries in which collective calls are made, two deep
  select log, parent_id as call_id
  from collective_entry
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
    and c.log in (select log from collective_entry)
  union all
  select log, rank, start_s, 0.0, 1, round, file_id, op
  from collective_entry
  union all
  select log, rank, end_s, 0.0, 2, round, file_id, op
  from collective_entry
),
summed as (
  select log, rank, at_s, mark, round, file_id, op,
         sum(busy_s) over (partition by log, rank order by at_s, mark rows between unbounded preceding and current row) as calls_s
  from marked
),
between_them as ( -- the mark before an entry is the return from the call before
  select log, rank, at_s, mark, round, file_id, op,
         calls_s - coalesce(lag(calls_s) over (partition by log, rank, file_id, op order by at_s, mark), 0.0) as calls_s,
         at_s - coalesce(lag(at_s) over (partition by log, rank, file_id, op order by at_s, mark), 0.0)       as gap_s
  from summed
  where mark > 0
),
entered as (
  select log, file_id, op, round, calls_s, gap_s,
         row_number() over (partition by log, file_id, op, round order by at_s desc, rank) as place,
         max(at_s) over (partition by log, file_id, op, round)
           - avg(at_s) over (partition by log, file_id, op, round)                        as wait_s,
         count(*) over (partition by log, file_id, op, round)                             as ranks
  from between_them
  where mark = 1
)
select log,
       file_id,
       op,
       sum(wait_s) as waited_s,
       sum(wait_s * greatest(0.0, 1.0 - coalesce(ratio(calls_s, gap_s), 0.0))) as computed_s
from entered
where place = 1
  and ranks > 1
group by log, file_id, op
