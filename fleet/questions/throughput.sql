-- How fast jobs move their data: jobs by power of ten of their throughput.
--
-- Throughput is bytes over the I/O time of the slowest rank. Jobs that move less than
-- min_bytes say nothing about speed and are left out.
--
-- number: 3
-- needs: job
-- picture: bars x=class y=jobs
-- param: min_bytes | 1000000000 | bytes | 1 GB: smaller jobs measure opens and caches
-- system        | str | name    | system
-- class         | i64 | power   | jobs between 10^class and 10^(class+1) bytes/s
-- jobs          | i64 | jobs    | jobs
-- job_ratio     | f64 | 1       | part of the system's jobs
-- below_ratio   | f64 | 1       | part of the system's jobs in this class or a slower one
-- bytes         | f64 | bytes   | bytes they moved
-- io_core_hours | f64 | core-hours | processes times I/O time
with classed as (
  select system,
         cast(floor(log10(throughput_bytes_per_s)) as bigint)       as class,
         count(*)                                                   as jobs,
         sum(cast(bytes_read as double) + bytes_written)            as bytes,
         sum(io_time_s * nprocs)                                    as io_core_s
  from job
  where throughput_bytes_per_s > 0
    and bytes_read + bytes_written >= $min_bytes
  group by system, cast(floor(log10(throughput_bytes_per_s)) as bigint)
)
select system,
       class,
       jobs,
       ratio(jobs, sum(jobs) over (partition by system))                                     as job_ratio,
       ratio(sum(jobs) over (partition by system order by class), sum(jobs) over (partition by system)) as below_ratio,
       bytes,
       ratio(io_core_s, 3600.0) as io_core_hours
from classed
order by system, class
