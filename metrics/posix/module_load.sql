-- Loading modules of Python, by process, as counters show it: from the open of one module
-- file to that of the next.
--
-- More than 50 ms from one to the next are computing: a process that imports a module later.
-- An upper bound, as the program may compute in shorter times, too. Recordings with call
-- stacks have `library_pause`, which is narrower.
--
-- rows: one row per log and process (rank) that opens compiled modules of Python
-- needs: posix, file
-- log       | i32 | log   | number of the log in this analysis
-- rank      | i32 | rank  | the process
-- modules   | i64 | files | compiled modules (.pyc) that it opens
-- busy_s    | f64 | s     | time in its calls on them | not recorded
-- loading_s | f64 | s     | time from each to the next, at most
with modules as (
  select p.log,
         p.rank,
         recorded_time(p.f_read_time) + recorded_time(p.f_meta_time) as busy_s,
         p.f_open_start_timestamp as start_s,
         lag(p.f_open_start_timestamp) over (
           partition by p.log, p.rank
           order by p.f_open_start_timestamp, p.file_id
         ) as before_s
  from posix as p
  join file
    on file.log = p.log
    and file.file_id = p.file_id
  where file.path like '%.pyc'
    and p.rank >= 0
    and p.f_open_start_timestamp is not null
)
select log,
       rank,
       count(*)    as modules,
       sum(busy_s) as busy_s,
       sum(case when start_s - before_s <= 0.05 then start_s - before_s else 0.0 end) as loading_s
from modules
group by log, rank
