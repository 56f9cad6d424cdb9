-- Sequential, consecutive and random requests of each rank in files of its
-- own, from counters.
--
-- As `access_pattern`; the row with rank -1 holds the files of all ranks.
--
-- rows: one row per log, rank and direction with at least one request
-- needs: record_pattern
-- log               | i32 | log   | number of the log in this analysis
-- rank              | i32 | rank  | rank; -1: files of all ranks
-- op                | str | name  | read or write
-- calls             | i64 | calls | requests
-- sequential_calls  | i64 | calls | requests that start anywhere after the one before, consecutive ones included
-- consecutive_calls | i64 | calls | requests that start right at the end of the one before
-- random_low_calls  | i64 | calls | requests that start before the end of the one before, at least
-- random_high_calls | i64 | calls | the same, at most
-- time_s            | f64 | s     | time in the requests, summed over ranks where rank is -1 | not recorded
-- bytes             | i64 | bytes | bytes moved | not recorded
select r.log,
       r.rank,
       r.op,
       r.calls,
       r.seq                                   as sequential_calls,
       r.consec                                as consecutive_calls,
       greatest(r.calls - r.seq - r.starts, 0) as random_low_calls,
       greatest(r.calls - r.seq, 0)            as random_high_calls,
       r.time_s,
       r.bytes
from (
  select log,
         rank,
         op,
         sum(calls)             as calls,
         sum(sequential_calls)  as seq,
         sum(consecutive_calls) as consec,
         sum(starts)            as starts,
         sum(time_s)            as time_s,
         sum(bytes)             as bytes
  from record_pattern
  group by log, rank, op
) as r
where r.seq is not null
  and r.consec is not null
