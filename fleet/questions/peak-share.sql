-- Which share of the peak of the file systems jobs reach, by month.
--
-- The peak of a month is the largest one that holds on a day of it (`diya fleet join --peaks`).
--
-- number: 31
-- needs: job, peak
-- picture: lines x=month_start y=p99_ratio,median_ratio
-- param: min_bytes | 1000000000 | bytes | 1 GB: smaller jobs measure opens and caches
-- system           | str | name    | system
-- month_start      | timestamp | month | month (UTC)
-- peak_bytes_per_s | f64 | bytes/s | peak
-- jobs             | i64 | jobs    | jobs with at least min_bytes
-- median_ratio     | f64 | 1       | median throughput over the peak
-- p99_ratio        | f64 | 1       | throughput that one job in a hundred exceeds, over the peak
-- below_1_percent  | i64 | jobs    | slower than 1 % of the peak
with held as (
  select system,
         start_time as since,
         lead(start_time) over (partition by system, mount, op order by start_time) as until,
         bytes_per_s
  from peak
),
large as (
  select system,
         date_trunc('month', start_time) as month_start,
         start_time,
         throughput_bytes_per_s          as speed
  from job
  where throughput_bytes_per_s > 0
    and bytes_read + bytes_written >= $min_bytes
    and start_time is not null
),
of_month as (
  select system,
         month_start,
         min(start_time) as first_start,
         max(start_time) as last_start
  from large
  group by system, month_start
),
ceiling as (
  select m.system,
         m.month_start,
         max(h.bytes_per_s) as peak_bytes_per_s
  from of_month as m
  join held as h
    on h.system = m.system
  where h.since <= m.last_start
    and (h.until is null or h.until > m.first_start)
  group by m.system, m.month_start
)
select l.system,
       l.month_start,
       max(c.peak_bytes_per_s)                             as peak_bytes_per_s,
       count(*)                                            as jobs,
       percentile(ratio(l.speed, c.peak_bytes_per_s), 0.5)  as median_ratio,
       percentile(ratio(l.speed, c.peak_bytes_per_s), 0.99) as p99_ratio,
       sum(case when l.speed < 0.01 * c.peak_bytes_per_s then 1 else 0 end) as below_1_percent
from large as l
join ceiling as c
  on c.system = l.system
  and c.month_start = l.month_start
group by l.system, l.month_start
order by l.system, l.month_start
