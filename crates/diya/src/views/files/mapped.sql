-- Files that were mapped into memory: what mappings cover, and the pages touched and in memory at their end
select f.path, m.* from mapped_file as m join file as f on f.log = m.log and f.file_id = m.file_id
order by m.log, m.mapped_bytes desc, f.path
