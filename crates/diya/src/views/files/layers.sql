-- What became of the requests of MPI-IO on their way to POSIX: calls, bytes, aggregators
select f.path, t.*, a.mpiio_ranks, a.posix_ranks, a.is_aggregated
from layer_transformation as t
join file as f
  on f.log = t.log and f.file_id = t.file_id
left join aggregation as a
  on a.log = t.log and a.file_id = t.file_id and a.op = t.op
order by t.log, t.mpiio_s desc
