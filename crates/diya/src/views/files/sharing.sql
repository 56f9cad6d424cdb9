-- Files that all ranks share, with fastest and slowest rank and the variance
select f.path, s.* from shared_file as s join file as f on f.log = s.log and f.file_id = s.file_id
order by s.log, f.path
