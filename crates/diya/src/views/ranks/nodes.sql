-- How long requests take on each node, against requests alike; the slowest first
select * from host_latency order by log, layer, op, slowdown_ratio desc, host
