-- What each rank did in each I/O phase, the slowest first
select * from phase_rank order by log, layer, phase, io_s desc
