-- Requests by size
select * from size_distribution order by log, layer, op, size_lo_bytes
