-- What each rank reads as data: without programs, libraries and modules of Python.
--
-- Needs single calls.
--
-- rows: one row per log and rank that read data by POSIX calls
-- needs: file_rank, file
-- log    | i32 | log   | number of the log in this analysis
-- rank   | i32 | rank  | rank
-- files  | i64 | files | files that it read
-- calls  | i64 | calls | reads
-- bytes  | i64 | bytes | bytes read
-- time_s | f64 | s     | time in the reads
select r.log,
       r.rank,
       count(*)      as files,
       sum(r.calls)  as calls,
       sum(r.bytes)  as bytes,
       sum(r.time_s) as time_s
from file_rank as r
left join file
  on file.log = r.log
  and file.file_id = r.file_id
where r.layer = 'posix'
  and r.op = 'read'
  and strpos(coalesce(file.path, ''), '/site-packages/') = 0
  and strpos(coalesce(file.path, ''), '/dist-packages/') = 0
  and strpos(coalesce(file.path, ''), '/lib/python') = 0
  and strpos(coalesce(file.path, ''), '/lib64/python') = 0
  and strpos(coalesce(file.path, ''), '/__pycache__/') = 0
  and strpos(coalesce(file.path, ''), '.so') = 0
  and coalesce(file.path, '') not like '%.py'
  and coalesce(file.path, '') not like '/proc/%'
  and coalesce(file.path, '') not like '/etc/%'
group by r.log, r.rank
