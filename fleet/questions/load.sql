-- How much all jobs move, hour by hour.
--
-- From the activity of each job in sixteen bins of its run; a bin counts in the hour in
-- which it begins.
--
-- number: 22
-- needs: activity
-- picture: lines x=hour y=bytes_read,bytes_written
-- system        | str | name  | system
-- hour          | timestamp | time | the hour
-- jobs          | i64 | jobs  | jobs that move bytes in it
-- bytes_read    | f64 | bytes | bytes read
-- bytes_written | f64 | bytes | bytes written
with placed as (
  select system,
         cast(floor(ratio(to_unixtime(start_time) + bin * bin_s, 3600.0)) as bigint) as hour,
         log_hash,
         op,
         bytes
  from activity
  where start_time is not null
)
select system,
       to_timestamp_seconds(hour * 3600) as hour,
       count(distinct log_hash)          as jobs,
       sum(case when op = 'read' then cast(bytes as double) else 0.0 end)  as bytes_read,
       sum(case when op = 'write' then cast(bytes as double) else 0.0 end) as bytes_written
from placed
group by system, to_timestamp_seconds(hour * 3600)
order by system, hour
