-- How equally the ranks share the work in each file, from single calls
select f.path, r.* from rank_spread as r join file as f on f.log = r.log and f.file_id = r.file_id
order by r.log, r.lost_s desc
