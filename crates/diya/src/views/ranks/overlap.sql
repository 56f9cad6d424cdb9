-- I/O beside other work, for each rank whose threads were recorded
select * from overlap order by log, io_s desc, rank
