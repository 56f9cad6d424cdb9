-- What a library of Python does between its calls on files that it opens again and again:
-- it looks for the file, reads its header, makes objects.
--
-- The pauses of a library are those of all its calls. They are divided among the files that the
-- process opens more than ten times, with at most sixteen requests for each open, in proportion
-- to the opens: an upper bound. A library with fewer than two calls for each of these opens has not made them.
--
-- rows: one row per log, process, library and file that is opened more than ten times
-- needs: library_pause
-- also: op_count, file
-- log     | i32 | log     | number of the log in this analysis
-- rank    | i32 | rank    | the process, as in the other tables
-- library | str | name    | as in `library_pause`
-- file_id | u64 | file_id | joins with `file`
-- opens   | i64 | calls   | how often the process opens the file
-- pause_s | f64 | s       | time between the calls of the library, at most
with used as (
  select c.log,
         c.rank,
         c.file_id,
         sum(case when c.op = 'open' then c.calls else 0 end)            as opens,
         sum(case when c.op in ('read', 'write') then c.calls else 0 end) as requests
  from op_count as c
  join file
    on file.log = c.log
    and file.file_id = c.file_id
  where c.layer = 'posix'
    and c.op in ('open', 'read', 'write')
    and file.path not like '/proc/%'
    and file.path not like '/sys/%'
  group by c.log, c.rank, c.file_id
),
reopened as (
  select log,
         rank,
         file_id,
         opens,
         sum(opens) over (partition by log, rank) as all_opens
  from used
  where opens > 10
    and requests <= 16 * opens
)
select p.log,
       p.rank,
       p.library,
       r.file_id,
       r.opens,
       p.pause_s * ratio(r.opens, r.all_opens) as pause_s
from library_pause as p
join reopened as r
  on r.log = p.log
  and r.rank = p.rank
where p.kind not in ('import', 'hdf5', 'netcdf', 'compression', 'archive')
  and p.library not like '%.so%'
  and p.calls >= 2 * r.all_opens
