-- The jobs with the most core-hours in I/O, by start. Times have the seven digits of a
-- `real`: a page shows three.
select cast(to_unixtime(start_time) as bigint) as start_s,
       system,
       coalesce(user_name, cast(uid as varchar)) as user_name,
       project,
       program,
       interface,
       nprocs,
       cast(run_time_s as real) as run_time_s,
       cast(io_time_s as real) as io_time_s,
       case when bytes_read is not null or bytes_written is not null
         then cast(coalesce(bytes_read, 0) as double) + coalesce(bytes_written, 0) end as bytes,
       size_bytes,
       verdict,
       findings_high,
       findings_warn,
       cast(recoverable_s as real) as recoverable_s,
       is_partial,
       first_finding,
       path
from (
  select job.*, paid.project, first.check_id as first_finding
  from job
  left join ($paid) as paid
    on paid.log_hash = job.log_hash
  left join (
    select log_hash, check_id
    from (
      select log_hash,
             check_id,
             row_number() over (partition by log_hash order by coalesce(saved_s, 0.0) desc, check_id) as place
      from finding
      where explained_by is null
        and severity in ('high', 'warn')
    ) as placed
    where place = 1
  ) as first
    on first.log_hash = job.log_hash
  order by coalesce(nprocs, 1) * coalesce(io_time_s, 0.0) desc, path
  limit $most
) as most
order by start_time, path
