-- What each rank read and wrote in each file, from single calls
select f.path, r.* from file_rank as r join file as f on f.log = r.log and f.file_id = r.file_id
order by r.log, r.time_s desc
