-- Sequential, consecutive, random and strided shares of each file, exactly.
--
-- `file_rank_pattern` over all ranks; each rank is judged by its own requests.
-- As Darshan counts, sequential are consecutive ones and those further on.
--
-- rows: one row per log, file, layer and direction whose requests have places in the file
-- needs: file_rank_pattern
-- log               | i32 | log     | number of the log in this analysis
-- file_id           | u64 | file_id | joins with `file`
-- layer             | str | name    | as in `call`
-- op                | str | name    | read or write
-- ranks             | i64 | ranks   | ranks with requests
-- calls             | i64 | calls   | requests
-- time_s            | f64 | s       | time in the requests, summed over ranks
-- sequential_ratio  | f64 | 1       | share of requests that start anywhere after the one before | no call is counted
-- consecutive_ratio | f64 | 1       | share of requests that start right at the end of the one before | no call is counted
-- random_ratio      | f64 | 1       | share of requests that start before the end of the one before | no call is counted
-- repeated_ratio    | f64 | 1       | share of requests that move the same bytes as the one before | no call is counted
-- strided_ratio     | f64 | 1       | share of requests at a fixed distance | no call is counted
-- consecutive_time_ratio | f64 | 1  | share of the time in consecutive requests | no time was measured
-- random_time_ratio | f64 | 1       | share of the time in requests that go back | no time was measured
-- strided_time_ratio | f64 | 1      | share of the time in strided requests | no time was measured
-- stride_bytes      | i64 | bytes   | smallest of the most frequent distances of the ranks | no request is strided
select log,
       file_id,
       layer,
       op,
       count(*)    as ranks,
       sum(calls)  as calls,
       sum(time_s) as time_s,
       ratio(sum(consecutive_calls) + sum(forward_calls), sum(calls)) as sequential_ratio,
       ratio(sum(consecutive_calls), sum(calls))                      as consecutive_ratio,
       ratio(sum(backward_calls), sum(calls))                         as random_ratio,
       ratio(sum(repeated_calls), sum(calls))                         as repeated_ratio,
       ratio(sum(strided_calls), sum(calls))                          as strided_ratio,
       ratio(sum(consecutive_s), sum(time_s))                         as consecutive_time_ratio,
       ratio(sum(backward_s), sum(time_s))                            as random_time_ratio,
       ratio(sum(strided_s), sum(time_s))                             as strided_time_ratio,
       min(stride_bytes)                                              as stride_bytes
from file_rank_pattern
group by log, file_id, layer, op
