-- Files of several ranks, with fastest and slowest rank and the variance
select f.path, s.* from file_variance as s join file as f on f.log = s.log and f.file_id = s.file_id
order by s.log, s.slowest_s desc, f.path
