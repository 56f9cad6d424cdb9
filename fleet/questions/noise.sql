-- How much two runs differ that do exactly the same at the same time.
--
-- Pairs of runs with equal bytes, calls and files that start within window_s of each
-- other. Their difference is noise: no tuning can be judged below it.
--
-- number: 18
-- needs: job
-- picture: table
-- param: window_s | 600 | s | ten minutes: the file system is the same
-- param: min_io_s | 1.0 | s | shorter I/O is mostly noise
-- system       | str | name  | system
-- pairs        | i64 | pairs | pairs
-- median_ratio | f64 | 1     | half of the pairs are within this distance of their mean
-- p90_ratio    | f64 | 1     | nine of ten are
with following as (
  select system,
         io_hash,
         io_time_s               as first_s,
         to_unixtime(start_time) as at_s,
         lead(io_hash) over (partition by system order by io_hash, start_time, log_hash)                 as next_hash,
         lead(io_time_s) over (partition by system order by io_hash, start_time, log_hash)               as second_s,
         lead(to_unixtime(start_time)) over (partition by system order by io_hash, start_time, log_hash) as next_at_s
  from job
  where io_hash is not null
    and start_time is not null
    and io_time_s >= $min_io_s
)
select system,
       count(*)                                                            as pairs,
       percentile(ratio(abs(first_s - second_s), first_s + second_s), 0.5) as median_ratio,
       percentile(ratio(abs(first_s - second_s), first_s + second_s), 0.9) as p90_ratio
from following
where next_hash = io_hash
  and next_at_s - at_s <= $window_s
group by system
order by system
