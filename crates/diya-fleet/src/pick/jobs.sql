-- What a filter looks at.
select j.log_hash,
       j.system,
       j.start_time,
       coalesce(j.user_name, cast(j.uid as varchar)) as user_name,
       j.program,
       j.path,
       paid.project
from job as j
left join ($paid) as paid
  on paid.log_hash = j.log_hash
