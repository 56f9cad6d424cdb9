-- Sequential, consecutive and random requests of each file.
--
-- `record_pattern` says which is which.
--
-- rows: one row per log, file and direction with at least one request
-- needs: record_pattern
-- log               | i32 | log     | number of the log in this analysis
-- file_id           | u64 | file_id | joins with `file`
-- op                | str | name    | read or write
-- calls             | i64 | calls   | requests
-- sequential_calls  | i64 | calls   | requests that start anywhere after the one before, consecutive ones included
-- consecutive_calls | i64 | calls   | requests that start right at the end of the one before
-- random_low_calls  | i64 | calls   | requests that start before the end of the one before, at least
-- random_high_calls | i64 | calls   | the same, at most
-- sequential_ratio  | f64 | 1       | sequential_calls over calls
-- consecutive_ratio | f64 | 1       | consecutive_calls over calls
-- random_low_ratio  | f64 | 1       | random_low_calls over calls
-- time_s            | f64 | s       | time in the requests, summed over ranks | not recorded
-- bytes             | i64 | bytes   | bytes moved | not recorded
select log,
       file_id,
       op,
       sum(calls)                                as calls,
       sum(sequential_calls)                     as sequential_calls,
       sum(consecutive_calls)                    as consecutive_calls,
       sum(random_low_calls)                     as random_low_calls,
       sum(random_high_calls)                    as random_high_calls,
       ratio(sum(sequential_calls), sum(calls))  as sequential_ratio,
       ratio(sum(consecutive_calls), sum(calls)) as consecutive_ratio,
       ratio(sum(random_low_calls), sum(calls))  as random_low_ratio,
       sum(time_s)                               as time_s,
       sum(bytes)                                as bytes
from record_pattern
where sequential_calls is not null
  and consecutive_calls is not null
group by log, file_id, op
