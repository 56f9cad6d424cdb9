-- What became of the requests of each layer in the next lower one: calls, bytes, ranks; and the aggregators
select f.path, c.*, a.is_aggregated
from layer_chain as c
join file as f
  on f.log = c.log and f.file_id = c.file_id
left join aggregation as a
  on a.log = c.log and a.file_id = c.file_id and a.op = c.op and c.upper = 'mpiio' and c.lower = 'posix'
order by c.log, c.upper_s desc
