-- What requests of each size cost, from single calls
select * from size_time order by log, layer, op, size_lo_bytes
