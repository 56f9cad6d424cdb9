-- How fast each storage target (OST) serves the files that lie on it alone, the slowest first
select * from target_speed order by log, slowdown_ratio desc, ost_id
