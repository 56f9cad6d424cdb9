-- The dataset by system. Core-hours as in the question `lost`.
select system,
       count(*)                                                                  as jobs,
       coalesce(ratio(sum(nprocs * run_time_s), 3600.0), 0.0)                    as core_hours,
       coalesce(ratio(sum(nprocs * least(coalesce(io_time_s, 0.0), run_time_s)), 3600.0), 0.0) as io_core_hours,
       coalesce(ratio(sum(nprocs * recoverable_s), 3600.0), 0.0)                 as recoverable_core_hours,
       coalesce(sum(cast(bytes_read as double)), 0.0)                            as bytes_read,
       coalesce(sum(cast(bytes_written as double)), 0.0)                         as bytes_written,
       max(start_time)                                                           as last_start
from job
group by system
order by system
