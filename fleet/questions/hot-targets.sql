-- Which Lustre targets get more than their share over the whole time, and from which program.
--
-- A target is compared with all targets of its file system: by its bytes over the median,
-- and by the distance of their logarithm in robust standard deviations. The program is the
-- one whose files lie there more than on other targets.
--
-- number: 28
-- needs: job, job_target
-- picture: table
-- param: hot_ratio | 1.3 | 1 | a third more than the median target; layouts even out less
-- param: hot_z | 3.5 | 1 | usual bound of an outlier
-- system      | str | name  | system
-- mount       | str | path  | file system
-- ost_id      | i64 | id    | target
-- jobs        | i64 | jobs  | jobs that moved bytes there
-- bytes       | f64 | bytes | bytes moved there
-- bytes_ratio | f64 | 1     | bytes over those of the median target
-- z           | f64 | 1     | distance in robust standard deviations | all others equal
-- program     | str | name  | program with the most files on this target alone beyond its mean of all targets | no file lies on it alone
-- program_files | i64 | files | its files on this target alone | no file lies on it alone
with target as (
  select system,
         mount,
         ost_id,
         count(distinct log_hash)        as jobs,
         sum(bytes_read + bytes_written) as bytes
  from job_target
  group by system, mount, ost_id
  having sum(bytes_read + bytes_written) > 0
),
middle as (
  select system,
         mount,
         percentile(ln(bytes), 0.5) as median_ln
  from target
  group by system, mount
),
spread as (
  select t.system,
         t.mount,
         percentile(abs(ln(t.bytes) - m.median_ln), 0.5) as distance_ln
  from target as t
  join middle as m
    on m.system = t.system
    and m.mount = t.mount
  group by t.system, t.mount
),
hot as (
  select t.system,
         t.mount,
         t.ost_id,
         t.jobs,
         t.bytes,
         exp(ln(t.bytes) - m.median_ln) as bytes_ratio,
         ratio(ln(t.bytes) - m.median_ln, nullif(1.4826 * s.distance_ln, 0.0)) as z
  from target as t
  join middle as m
    on m.system = t.system
    and m.mount = t.mount
  join spread as s
    on s.system = t.system
    and s.mount = t.mount
),
alone as (
  select job_target.system,
         job_target.mount,
         job_target.ost_id,
         job.program,
         sum(job_target.alone_files) as files
  from job_target
  join job
    on job.log_hash = job_target.log_hash
  where job_target.alone_files > 0
  group by job_target.system, job_target.mount, job_target.ost_id, job.program
),
mean as (
  select alone.system,
         alone.mount,
         alone.program,
         ratio(sum(alone.files), max(counted.targets)) as files
  from alone
  join (
    select system,
           mount,
           count(*) as targets
    from target
    group by system, mount
  ) as counted
    on counted.system = alone.system
    and counted.mount = alone.mount
  group by alone.system, alone.mount, alone.program
),
most as (
  select alone.system,
         alone.mount,
         alone.ost_id,
         alone.program,
         alone.files,
         row_number() over (partition by alone.system, alone.mount, alone.ost_id
                            order by alone.files - mean.files desc, alone.program) as place
  from alone
  join mean
    on mean.system = alone.system
    and mean.mount = alone.mount
    and mean.program = alone.program
)
select hot.system,
       hot.mount,
       hot.ost_id,
       hot.jobs,
       hot.bytes,
       hot.bytes_ratio,
       hot.z,
       most.program,
       most.files as program_files
from hot
left join most
  on most.system = hot.system
  and most.mount = hot.mount
  and most.ost_id = hot.ost_id
  and most.place = 1
where hot.bytes_ratio >= $hot_ratio
  and (hot.z is null or hot.z >= $hot_z)
order by hot.bytes desc, hot.system, hot.mount, hot.ost_id
