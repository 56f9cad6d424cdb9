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
select log,
       rank,
       op,
       sum(calls)             as calls,
       sum(sequential_calls)  as sequential_calls,
       sum(consecutive_calls) as consecutive_calls,
       sum(random_low_calls)  as random_low_calls,
       sum(random_high_calls) as random_high_calls,
       sum(time_s)            as time_s,
       sum(bytes)             as bytes
from record_pattern
where sequential_calls is not null
  and consecutive_calls is not null
group by log, rank, op
