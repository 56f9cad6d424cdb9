-- How many jobs come near the speed that the system shows to be possible.
--
-- The ceiling is peak_bytes_per_s where it is given; otherwise the throughput that only
-- one job in a thousand exceeds: what was seen, not what was bought.
--
-- number: 4
-- needs: job
-- picture: table
-- param: peak_bytes_per_s | 0 | bytes/s | 0: not known, take what one job in a thousand exceeds
-- param: min_bytes | 1000000000 | bytes | 1 GB: smaller jobs measure opens and caches
-- system               | str | name    | system
-- peak_bytes_per_s     | f64 | bytes/s | the ceiling
-- jobs                 | i64 | jobs    | jobs with at least min_bytes
-- below_1_percent      | i64 | jobs    | slower than 1 % of the ceiling
-- below_10_percent     | i64 | jobs    | slower than 10 % of it
-- above_half           | i64 | jobs    | faster than half of it
-- median_bytes_per_s   | f64 | bytes/s | median throughput
with large as (
  select system,
         throughput_bytes_per_s
  from job
  where throughput_bytes_per_s > 0
    and bytes_read + bytes_written >= $min_bytes
),
ceiling as (
  select system,
         case when $peak_bytes_per_s > 0 then cast($peak_bytes_per_s as double)
              else percentile(throughput_bytes_per_s, 0.999) end as peak_bytes_per_s,
         percentile(throughput_bytes_per_s, 0.5)                 as median_bytes_per_s
  from large
  group by system
)
select large.system,
       max(ceiling.peak_bytes_per_s) as peak_bytes_per_s,
       count(*)                      as jobs,
       sum(case when throughput_bytes_per_s < 0.01 * ceiling.peak_bytes_per_s then 1 else 0 end) as below_1_percent,
       sum(case when throughput_bytes_per_s < 0.1 * ceiling.peak_bytes_per_s then 1 else 0 end)  as below_10_percent,
       sum(case when throughput_bytes_per_s > 0.5 * ceiling.peak_bytes_per_s then 1 else 0 end)  as above_half,
       max(ceiling.median_bytes_per_s) as median_bytes_per_s
from large
join ceiling
  on ceiling.system = large.system
group by large.system
order by large.system
