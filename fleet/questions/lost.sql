-- How many core-hours wait for I/O, and how many of them the findings explain.
--
-- number: 8
-- needs: job
-- picture: bars x=month y=core_hours,io_core_hours,recoverable_core_hours
-- system                 | str | name       | system
-- year                   | i64 | year       | year of the start
-- month                  | i64 | month      | month
-- jobs                   | i64 | jobs       | jobs with a run time
-- core_hours             | f64 | core-hours | processes times run time
-- io_core_hours          | f64 | core-hours | processes times I/O time of the slowest rank, at most the run time
-- io_ratio               | f64 | 1          | part of the core-hours | no core-hours
-- recoverable_core_hours | f64 | core-hours | processes times what the fixes of all findings save together | no job was checked
select system,
       year,
       month,
       count(*)                                                                    as jobs,
       ratio(sum(nprocs * run_time_s), 3600.0)                                     as core_hours,
       ratio(sum(nprocs * least(coalesce(io_time_s, 0.0), run_time_s)), 3600.0)    as io_core_hours,
       ratio(sum(nprocs * least(coalesce(io_time_s, 0.0), run_time_s)), sum(nprocs * run_time_s)) as io_ratio,
       ratio(sum(nprocs * recoverable_s), 3600.0)                                  as recoverable_core_hours
from job
where run_time_s is not null
  and nprocs is not null
group by system, year, month
order by system, year, month
