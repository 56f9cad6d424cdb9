-- The log of a job as it was when it was read.
select m.size_bytes, cast(m.mtime as bigint) as mtime_ns
from job as j
left join manifest as m
  on m.path = j.path
where j.path = '$path'
limit 1
