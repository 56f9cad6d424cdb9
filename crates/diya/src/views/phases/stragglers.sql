-- I/O phases over all ranks and files, and who held each of them up
select p.log, p.layer, p.phase, p.start_s, p.duration_s, p.calls, p.bytes_read, p.bytes_written, p.ranks, p.files,
       s.fastest_rank, s.fastest_io_s, s.median_io_s, s.slowest_rank, s.slowest_io_s, s.waited_s
from phase as p
left join phase_straggler as s
  on s.log = p.log and s.layer = p.layer and s.phase = p.phase
order by p.log, p.layer, p.phase
