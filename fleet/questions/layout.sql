-- Which users have large files on one Lustre target, or small files over several.
--
-- number: 13
-- needs: job, metric
-- picture: table
-- param: most | 50 | users | users with the most such files
-- system                 | str | name  | system
-- user_name              | str | name  | user
-- jobs                   | i64 | jobs  | jobs with files on Lustre
-- lustre_files           | i64 | files | files with a layout
-- one_stripe_large_files | i64 | files | files of at least 1 GiB on one target
-- striped_small_files    | i64 | files | files below 1 MiB over several targets
-- example                | str | path  | log of one of these jobs
select job.system,
       coalesce(job.user_name, cast(job.uid as varchar), 'not recorded') as user_name,
       count(*)                           as jobs,
       sum(metric.lustre_files)           as lustre_files,
       sum(metric.one_stripe_large_files) as one_stripe_large_files,
       sum(metric.striped_small_files)    as striped_small_files,
       max(case when metric.one_stripe_large_files + metric.striped_small_files > 0 then job.path end) as example
from metric
join job
  on job.log_hash = metric.log_hash
where metric.lustre_files > 0
group by job.system, coalesce(job.user_name, cast(job.uid as varchar), 'not recorded')
order by sum(metric.one_stripe_large_files + metric.striped_small_files) desc, user_name
limit $most
