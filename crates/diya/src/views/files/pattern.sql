-- Sequential, consecutive and random requests of each file
select f.path, p.* from access_pattern as p join file as f on f.log = p.log and f.file_id = p.file_id
order by p.log, f.path
