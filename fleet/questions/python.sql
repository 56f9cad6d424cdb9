-- How much Python costs: jobs, opens in site-packages, data read again.
--
-- number: 24
-- needs: job
-- picture: bars x=month y=python_jobs
-- system              | str | name  | system
-- year                | i64 | year  | year of the start
-- month               | i64 | month | month
-- jobs                | i64 | jobs  | jobs
-- python_jobs         | i64 | jobs  | of these, Python
-- python_core_hours   | f64 | core-hours | their core-hours
-- site_packages_opens | i64 | calls | opens of Python's modules
-- opens_per_process   | f64 | calls | the same per process of a Python job, median | no Python job
-- reread_ratio        | f64 | 1     | bytes read per byte of extent of the files read, median of Python jobs | no Python job
select system,
       year,
       month,
       count(*) as jobs,
       sum(case when is_python then 1 else 0 end) as python_jobs,
       ratio(sum(case when is_python then coalesce(nprocs, 1) * coalesce(run_time_s, 0.0) else 0.0 end), 3600.0) as python_core_hours,
       sum(site_packages_opens) as site_packages_opens,
       percentile(case when is_python then ratio(site_packages_opens, greatest(coalesce(nprocs, 1), 1)) end, 0.5) as opens_per_process,
       percentile(case when is_python then ratio(bytes_read, nullif(read_extent_bytes, 0)) end, 0.5) as reread_ratio
from job
group by system, year, month
order by system, year, month
