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
         -- A job has one row of a target.
         count(*)                        as jobs,
         sum(bytes_read + bytes_written) as bytes
  from job_target
  group by system, mount, ost_id
  having sum(bytes_read + bytes_written) > 0
),
-- Medians by place: one pass over the targets, where joins would read all rows again.
placed as (
  select system,
         mount,
         ost_id,
         jobs,
         bytes,
         count(*) over (partition by system, mount)                        as targets,
         row_number() over (partition by system, mount order by bytes)     as place
  from target
),
distant as (
  select system,
         mount,
         ost_id,
         jobs,
         bytes,
         targets,
         ln(bytes) - avg(case when 2 * place between targets and targets + 2 then ln(bytes) end)
                       over (partition by system, mount) as distance_ln
  from placed
),
ordered as (
  select system,
         mount,
         ost_id,
         jobs,
         bytes,
         targets,
         distance_ln,
         row_number() over (partition by system, mount order by abs(distance_ln)) as place
  from distant
),
hot as (
  select system,
         mount,
         ost_id,
         jobs,
         bytes,
         targets,
         exp(distance_ln) as bytes_ratio,
         ratio(distance_ln, nullif(1.4826 * avg(case when 2 * place between targets and targets + 2 then abs(distance_ln) end)
                                              over (partition by system, mount), 0.0)) as z
  from ordered
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
beyond as (
  select system,
         mount,
         ost_id,
         program,
         files,
         sum(files) over (partition by system, mount, program) as of_program
  from alone
),
most as (
  select hot.system,
         hot.mount,
         hot.ost_id,
         hot.jobs,
         hot.bytes,
         hot.bytes_ratio,
         hot.z,
         beyond.program,
         beyond.files as program_files,
         row_number() over (partition by hot.system, hot.mount, hot.ost_id
                            order by beyond.files - ratio(beyond.of_program, hot.targets) desc, beyond.program) as place
  from hot
  left join beyond
    on beyond.system = hot.system
    and beyond.mount = hot.mount
    and beyond.ost_id = hot.ost_id
  where hot.bytes_ratio >= $hot_ratio
    and (hot.z is null or hot.z >= $hot_z)
)
select system,
       mount,
       ost_id,
       jobs,
       bytes,
       bytes_ratio,
       z,
       program,
       program_files
from most
where place = 1
order by bytes desc, system, mount, ost_id
