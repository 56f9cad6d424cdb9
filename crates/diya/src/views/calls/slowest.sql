-- The longest single calls
select c.log, c.layer, c.op, c.function, c.rank, f.path, c.offset_bytes, c.size_bytes, c.start_s, c.busy_s,
       r.region, r.step
from call as c
left join file as f on f.log = c.log and f.file_id = c.file_id
left join call_region as r on r.log = c.log and r.call_id = c.call_id
order by c.busy_s desc
limit 1000
