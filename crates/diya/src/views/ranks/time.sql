-- Time in I/O of each rank, layers not counted twice; rank -1: files that all ranks share
select * from rank_io order by log, io_s desc, rank
