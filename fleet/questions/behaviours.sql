-- Which kinds of behaviour there are: jobs that are alike in program, size, bytes and timing.
--
-- number: 20
-- needs: job
-- picture: table
-- param: most | 100 | rows | the kinds with the most core-hours
-- program        | str | name  | program
-- interface      | str | name  | highest layer that moved bytes
-- temporal_class | str | name  | when the bytes moved, as in job
-- process_class  | i64 | power | 10^process_class to 10^(process_class+1) processes
-- byte_class     | i64 | power | 10^byte_class to 10^(byte_class+1) bytes; -1: none
-- jobs           | i64 | jobs  | jobs
-- users          | i64 | users | users
-- core_hours     | f64 | core-hours | core-hours
-- io_ratio       | f64 | 1     | I/O time over run time | no run time
-- example        | str | path  | one of the logs
select coalesce(program, 'not recorded') as program,
       coalesce(interface, 'none')       as interface,
       coalesce(temporal_class, 'none')  as temporal_class,
       cast(floor(log10(greatest(coalesce(nprocs, 1), 1))) as bigint) as process_class,
       case when bytes_read + bytes_written > 0 then cast(floor(log10(cast(bytes_read + bytes_written as double))) as bigint) else -1 end as byte_class,
       count(*)            as jobs,
       count(distinct uid) as users,
       ratio(sum(coalesce(nprocs, 1) * coalesce(run_time_s, 0.0)), 3600.0) as core_hours,
       ratio(sum(case when run_time_s is not null then io_time_s end), sum(run_time_s)) as io_ratio,
       min(path)           as example
from job
group by coalesce(program, 'not recorded'),
         coalesce(interface, 'none'),
         coalesce(temporal_class, 'none'),
         cast(floor(log10(greatest(coalesce(nprocs, 1), 1))) as bigint),
         case when bytes_read + bytes_written > 0 then cast(floor(log10(cast(bytes_read + bytes_written as double))) as bigint) else -1 end
order by core_hours desc, program, interface, temporal_class, process_class, byte_class
limit $most
