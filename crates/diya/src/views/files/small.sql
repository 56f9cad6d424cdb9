-- Small requests (up to 100 KiB) of each file and what they cost; time is known where single calls were recorded
with counted as (
  select log, file_id, layer, op,
         sum(calls)                                                  as calls,
         sum(case when size_lo_bytes < 102401 then calls else 0 end) as small_calls
  from size_histogram
  where layer in ('posix', 'stdio', 'mpiio')
  group by log, file_id, layer, op
),
timed as (
  select log, file_id, layer, op,
         sum(case when size_bytes <= 102400 * calls then size_bytes else 0 end) as small_bytes,
         sum(case when size_bytes <= 102400 * calls then busy_s else 0 end)     as small_s,
         sum(busy_s)                                                            as time_s
  from call
  where op in ('read', 'write')
  group by log, file_id, layer, op
)
select c.log, f.path, c.layer, c.op, c.small_calls, c.calls, ratio(c.small_calls, c.calls) as small_ratio,
       t.small_bytes, t.small_s, t.time_s
from counted as c
join file as f
  on f.log = c.log and f.file_id = c.file_id
left join timed as t
  on t.log = c.log and t.file_id = c.file_id and t.layer = c.layer and t.op = c.op
where c.small_calls > 0
order by c.log, coalesce(t.small_s, 0) desc, c.small_calls desc
