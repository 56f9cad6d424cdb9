-- What each rank did in each layer, in files of its own; rank -1: files that all ranks share
select * from rank_layer order by log, layer, rank
