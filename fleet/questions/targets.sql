-- Which Lustre targets are slow or hot on a day.
--
-- The speed of a target is measured by files that lie on it alone. A target is compared
-- with all of its file system on the same day: by the distance of the logarithm of its
-- speed from the median, in robust standard deviations (1.4826 times the median
-- distance), and by its bytes over the mean of the targets.
--
-- number: 14
-- needs: job_target
-- picture: table
-- watch: key=system,mount,ost_id,is_slow,is_hot value=speed_ratio down ran=system day=day
-- param: min_files | 10 | files | fewer files on one target say nothing about it
-- param: slow_z | -3.5 | 1 | usual bound of an outlier
-- param: slow_ratio | 0.5 | 1 | half the speed of the others is worth a look
-- param: hot_ratio | 4.0 | 1 | four times the bytes of the mean target
-- system       | str  | name    | system
-- mount        | str  | path    | file system
-- day          | timestamp | day | day (UTC)
-- ost_id       | i64  | id      | target
-- is_slow      | bool | flag    | below slow_z and slow_ratio, from at least min_files
-- is_hot       | bool | flag    | at least hot_ratio times the bytes of the mean target
-- files        | i64  | files   | files that lie on it alone
-- bytes_per_s  | f64  | bytes/s | speed of these | no such file
-- speed_ratio  | f64  | 1       | speed over the median of the targets | no such file
-- z            | f64  | 1       | distance from the median in robust standard deviations | no such file, or all equal
-- bytes        | f64  | bytes   | bytes moved on it
-- bytes_ratio  | f64  | 1       | bytes over the mean of the targets
with of_day as (
  select system,
         mount,
         date_trunc('day', start_time) as day,
         ost_id,
         sum(alone_files)              as files,
         case when sum(alone_s) > 0 and sum(alone_bytes) > 0 then ratio(sum(alone_bytes), sum(alone_s)) end as bytes_per_s,
         sum(bytes_read + bytes_written) as bytes
  from job_target
  group by system, mount, date_trunc('day', start_time), ost_id
),
-- Medians by place: one pass over the targets of a day, where joins would read all rows again.
placed as (
  select system,
         mount,
         day,
         ost_id,
         files,
         bytes_per_s,
         bytes,
         ln(bytes_per_s)                                           as speed_ln,
         avg(bytes) over (partition by system, mount, day)         as mean_bytes,
         count(*) over (partition by system, mount, day)           as targets,
         count(bytes_per_s) over (partition by system, mount, day) as measured,
         row_number() over (partition by system, mount, day order by bytes_per_s nulls last) as place
  from of_day
),
distant as (
  select system,
         mount,
         day,
         ost_id,
         files,
         bytes_per_s,
         bytes,
         mean_bytes,
         targets,
         measured,
         speed_ln - avg(case when 2 * place between measured and measured + 2 then speed_ln end)
                      over (partition by system, mount, day) as distance_ln
  from placed
),
ordered as (
  select system,
         mount,
         day,
         ost_id,
         files,
         bytes_per_s,
         bytes,
         mean_bytes,
         targets,
         measured,
         distance_ln,
         row_number() over (partition by system, mount, day order by abs(distance_ln) nulls last) as place
  from distant
),
spread as (
  select system,
         mount,
         day,
         ost_id,
         files,
         bytes_per_s,
         bytes,
         mean_bytes,
         targets,
         distance_ln,
         avg(case when 2 * place between measured and measured + 2 then abs(distance_ln) end)
           over (partition by system, mount, day) as spread_ln
  from ordered
),
judged as (
  select system,
         mount,
         day,
         ost_id,
         files,
         bytes_per_s,
         exp(distance_ln) as speed_ratio,
         ratio(distance_ln, nullif(1.4826 * spread_ln, 0.0)) as z,
         bytes,
         case when targets > 1 then ratio(bytes, mean_bytes) end as bytes_ratio
  from spread
)
select system,
       mount,
       day,
       ost_id,
       coalesce(files >= $min_files and speed_ratio < $slow_ratio and z < $slow_z, false) as is_slow,
       coalesce(bytes_ratio >= $hot_ratio, false) as is_hot,
       files,
       bytes_per_s,
       speed_ratio,
       z,
       bytes,
       bytes_ratio
from judged
where (files >= $min_files and speed_ratio < $slow_ratio and z < $slow_z)
   or bytes_ratio >= $hot_ratio
order by day, system, mount, ost_id
