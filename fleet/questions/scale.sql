-- How much jobs of each size move: jobs by powers of ten of processes and of bytes.
--
-- number: 5
-- needs: job
-- picture: matrix x=process_class y=byte_class value=jobs
-- system        | str | name  | system
-- process_class | i64 | power | jobs with 10^process_class to 10^(process_class+1) processes
-- byte_class    | i64 | power | jobs that move 10^byte_class to 10^(byte_class+1) bytes; -1: none
-- jobs          | i64 | jobs  | jobs
-- core_hours    | f64 | core-hours | their core-hours
-- io_ratio      | f64 | 1     | I/O time of the slowest rank over run time, of all together | no run time
select system,
       cast(floor(log10(greatest(nprocs, 1))) as bigint) as process_class,
       case when bytes_read + bytes_written > 0 then cast(floor(log10(cast(bytes_read + bytes_written as double))) as bigint) else -1 end as byte_class,
       count(*)                                               as jobs,
       ratio(sum(nprocs * coalesce(run_time_s, 0.0)), 3600.0) as core_hours,
       ratio(sum(case when run_time_s is not null then io_time_s end), sum(run_time_s)) as io_ratio
from job
where nprocs is not null
group by system,
         cast(floor(log10(greatest(nprocs, 1))) as bigint),
         case when bytes_read + bytes_written > 0 then cast(floor(log10(cast(bytes_read + bytes_written as double))) as bigint) else -1 end
order by system, process_class, byte_class
