-- Bytes that were read or written more than once, from single calls
select f.path, r.* from redundancy as r join file as f on f.log = r.log and f.file_id = r.file_id
where r.redundant_bytes > 0
order by r.log, r.redundant_bytes desc
