-- Source lines that make the calls, from recordings with call stacks; the most expensive first
select s.log, s.source, f.path, s.layer, s.op, s.ranks, s.calls, s.bytes, s.time_s
from source_time as s left join file as f on f.log = s.log and f.file_id = s.file_id
order by s.log, s.time_s desc
