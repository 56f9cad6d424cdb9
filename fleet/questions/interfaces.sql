-- Which interface jobs use, month by month.
--
-- The interface of a job is the highest layer that moved bytes.
--
-- number: 9
-- needs: job
-- picture: bars x=month y=jobs by=interface
-- system     | str | name       | system
-- year       | i64 | year       | year of the start
-- month      | i64 | month      | month
-- interface  | str | name       | netcdf, hdf5, pnetcdf, mpiio, dfs, posix, stdio or none
-- jobs       | i64 | jobs       | jobs
-- job_ratio  | f64 | 1          | part of the jobs of the month
-- bytes      | f64 | bytes      | bytes they moved
-- core_hours | f64 | core-hours | their core-hours
with counted as (
  select system,
         year,
         month,
         coalesce(interface, 'none')                                                     as interface,
         count(*)                                                                        as jobs,
         sum(cast(coalesce(bytes_read, 0) as double) + coalesce(bytes_written, 0))       as bytes,
         sum(coalesce(nprocs, 1) * coalesce(run_time_s, 0.0))                            as core_s
  from job
  group by system, year, month, coalesce(interface, 'none')
)
select system,
       year,
       month,
       interface,
       jobs,
       ratio(jobs, sum(jobs) over (partition by system, year, month)) as job_ratio,
       bytes,
       ratio(core_s, 3600.0) as core_hours
from counted
order by system, year, month, interface
