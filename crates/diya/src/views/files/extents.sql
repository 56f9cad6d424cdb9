-- Extents that were moved more than once: where, how often, by how many ranks
select c.log, f.path, c.layer, c.op, c.offset_bytes, c.size_bytes,
       sum(c.calls) as calls, count(distinct c.rank) as ranks, min(c.rank) as first_rank, max(c.rank) as last_rank,
       sum(c.busy_s) as time_s
from call as c join file as f on f.log = c.log and f.file_id = c.file_id
where c.op in ('read', 'write') and c.layer = 'posix' and c.size_bytes > 0
group by c.log, f.path, c.layer, c.op, c.offset_bytes, c.size_bytes
having sum(c.calls) > 1
order by c.log, time_s desc
