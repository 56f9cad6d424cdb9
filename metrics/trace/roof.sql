-- The highest bandwidth that `diya calibrate` measured on the file systems of the job, by size of
-- requests.
--
-- rows: one row per log, operation, size, and one worker or several
-- needs: mount_load, machine_ceiling
-- log                   | i32 | log     | number of the log in this analysis
-- op                    | str | name    | read or write
-- is_together           | bool | flag   | several workers at the same time; else one
-- request_bytes         | i64 | bytes   | size of the requests
-- workers               | i64 | threads | workers behind the number
-- bandwidth_bytes_per_s | f64 | bytes/s | of all workers, in the pattern that is fastest
with used as (
  select distinct log, mount
  from mount_load
  where layer = 'posix'
    and coalesce(bytes_read, 0) + coalesce(bytes_written, 0) > 0
)
select used.log,
       c.op,
       c.workers > 1                as is_together,
       c.request_bytes,
       max(c.workers)               as workers,
       max(c.bandwidth_bytes_per_s) as bandwidth_bytes_per_s
from used
join machine_ceiling as c
  on coalesce(c.mount, used.mount) = used.mount
group by used.log, c.op, c.workers > 1, c.request_bytes
