-- Ranks that hold up phase after phase
select * from straggler_rank order by log, layer, waited_s desc, rank
