-- All jobs in one row. Core-hours as in the question `lost`.
select count(*)                                                          as jobs,
       count(distinct coalesce(user_name, cast(uid as varchar)))         as users,
       count(distinct program)                                           as programs,
       sum(case when nprocs is not null and run_time_s is not null then 1 else 0 end) as timed_jobs,
       sum(case when is_partial then 1 else 0 end)                       as partial_jobs,
       sum(case when verdict is not null then 1 else 0 end)              as judged_jobs,
       ratio(sum(nprocs * run_time_s), 3600.0)                           as core_hours,
       ratio(sum(nprocs * least(coalesce(io_time_s, 0.0), run_time_s)), 3600.0) as io_core_hours,
       ratio(sum(nprocs * recoverable_s), 3600.0)                        as recoverable_core_hours,
       sum(cast(bytes_read as double))                                   as bytes_read,
       sum(cast(bytes_written as double))                                as bytes_written,
       min(start_time)                                                   as first_start,
       max(start_time)                                                   as last_start
from job
