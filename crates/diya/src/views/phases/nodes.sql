-- Nodes whose ranks hold up phase after phase
select * from straggler_host order by log, layer, waited_s desc, host
