-- Time that each rank spends in a layer itself, not in a layer below it
select * from exclusive_time order by log, exclusive_s desc
