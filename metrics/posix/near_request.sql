-- Requests that go back, but no further than one length of the request before from its start:
-- single steps back of a reader with a buffer, whose data is in memory.
--
-- Counters do not tell them from others that go back: only logs with single calls have rows.
--
-- rows: one row per log and direction
-- needs: posix
-- also: file_rank_pattern
-- log   | i32 | log   | number of the log in this analysis
-- op    | str | name  | read or write
-- calls | i64 | calls | such requests of all ranks and files
with recorded as (
  select log
  from posix
  group by log
)
select f.log,
       f.op,
       sum(f.near_calls) as calls
from file_rank_pattern as f
join recorded as r
  on r.log = f.log
where f.layer = 'posix'
group by f.log, f.op
