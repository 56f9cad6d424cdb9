-- Extents that were moved more than once: where, how often, by how many ranks; the most expensive first
select f.path, e.* from redundant_extent as e join file as f on f.log = e.log and f.file_id = e.file_id
order by e.log, e.time_s desc
