-- Calls of each function, counted by our own recorder
select log, layer, function, op, sum(calls) as calls, sum(failed) as failed_calls, sum(bytes) as bytes, sum(time_s) as time_s,
       sum(exclusive_s) as exclusive_s
from op_count
group by log, layer, function, op
order by log, time_s desc
