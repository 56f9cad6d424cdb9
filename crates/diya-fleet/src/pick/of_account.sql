-- The record of the batch system that a log belongs to, as in the question `projects`.
select j.log_hash, a.row_hash, a.project
from job as j
join account as a
  on a.system = j.system
  and a.job_id = j.job_id
where to_unixtime(j.start_time) >= to_unixtime(a.start_time) - 60
  and to_unixtime(j.start_time) <= to_unixtime(a.end_time) + 60
