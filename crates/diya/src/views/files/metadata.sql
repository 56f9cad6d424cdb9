-- Metadata calls of each file and the share of time they take
select f.path, m.* from file_metadata as m join file as f on f.log = m.log and f.file_id = m.file_id
order by m.log, m.metadata_s desc
