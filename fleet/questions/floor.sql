-- What it would save if every job moved its data at least at a floor.
--
-- A job that is slower would need its bytes over the floor instead of its I/O time.
--
-- number: 7
-- needs: job
-- picture: bars x=month y=io_core_hours,saved_core_hours
-- param: floor_bytes_per_s | 1000000000 | bytes/s | 1 GB/s: published studies use it
-- system           | str | name       | system
-- year             | i64 | year       | year of the start
-- month            | i64 | month      | month
-- jobs             | i64 | jobs       | jobs that move bytes
-- slow_jobs        | i64 | jobs       | of these, slower than the floor
-- io_s             | f64 | s          | I/O time of the slowest ranks
-- saved_s          | f64 | s          | part of it that the floor saves
-- saved_ratio      | f64 | 1          | the same as a part of io_s | no I/O time
-- io_core_hours    | f64 | core-hours | processes times I/O time
-- saved_core_hours | f64 | core-hours | part of them that the floor saves
with moved as (
  select system,
         year,
         month,
         coalesce(nprocs, 1) as nprocs,
         io_time_s,
         greatest(io_time_s - ratio(cast(bytes_read as double) + bytes_written, cast($floor_bytes_per_s as double)), 0.0) as saved_s
  from job
  where io_time_s > 0
    and bytes_read + bytes_written > 0
)
select system,
       year,
       month,
       count(*)                                         as jobs,
       sum(case when saved_s > 0 then 1 else 0 end)     as slow_jobs,
       sum(io_time_s)                                   as io_s,
       sum(saved_s)                                     as saved_s,
       ratio(sum(saved_s), sum(io_time_s))              as saved_ratio,
       ratio(sum(io_time_s * nprocs), 3600.0)           as io_core_hours,
       ratio(sum(saved_s * nprocs), 3600.0)             as saved_core_hours
from moved
group by system, year, month
order by system, year, month
