-- How many I/O phases, how long, how regular
select * from phase_summary order by log, layer
