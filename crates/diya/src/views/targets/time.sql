-- What each storage target (OST) got over time
select * from target_time order by log, ost_id, op, bin
