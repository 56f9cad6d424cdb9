-- What the dataset covers: logs and core-hours by format and version, and what could not be read.
--
-- Core-hours are processes times run time; a log without an end counts none.
--
-- number: 1
-- needs: job, manifest
-- picture: table
-- kind         | str | name       | format and version of the library that recorded, or what became of files that gave no job
-- logs         | i64 | logs       | logs
-- partial_logs | i64 | logs       | of these, damaged or without an end: their numbers are at least these | no job
-- core_hours   | f64 | core-hours | core-hours of these jobs | no job
-- first_start  | timestamp | time | start of the first job | no job
-- last_start   | timestamp | time | start of the last job | no job
select concat(format, ' ', coalesce(library_version, log_version, '')) as kind,
       count(*)                                               as logs,
       sum(case when is_partial then 1 else 0 end)            as partial_logs,
       ratio(sum(nprocs * coalesce(run_time_s, 0.0)), 3600.0) as core_hours,
       min(start_time)                                        as first_start,
       max(start_time)                                        as last_start
from job
group by concat(format, ' ', coalesce(library_version, log_version, ''))
union all
select status                  as kind,
       count(*)                as logs,
       cast(null as bigint)    as partial_logs,
       cast(null as double)    as core_hours,
       cast(null as timestamp) as first_start,
       cast(null as timestamp) as last_start
from manifest
where status in ('duplicate', 'quarantine', 'unreadable')
group by status
order by logs desc, kind
