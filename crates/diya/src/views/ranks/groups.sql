-- How long requests take behind each switch and in each enclosure; needs --topology
select * from group_latency order by log, layer, op, slowdown_ratio desc, name
