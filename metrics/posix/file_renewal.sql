-- How often each file is removed, renamed or cut: what comes after it is new.
--
-- Counters hold none of these calls: only recordings of `diya run` and traces have rows.
--
-- rows: one row per log and file with such calls that did not fail
-- needs: file
-- also: op_count
-- log      | i32 | log     | number of the log in this analysis
-- file_id  | u64 | file_id | joins with `file`
-- removals | i64 | calls   | removals and renames of all processes
-- cuts     | i64 | calls   | truncations of all processes
-- cut_s    | f64 | s       | time in truncations of the process with most of it
select c.log,
       c.file_id,
       sum(case when c.op in ('unlink', 'rename') then c.calls - coalesce(c.failed, 0) else 0 end) as removals,
       sum(case when c.op = 'truncate' then c.calls - coalesce(c.failed, 0) else 0 end)            as cuts,
       max(case when c.op = 'truncate' then c.time_s else 0.0 end)                                 as cut_s
from op_count as c
join file
  on file.log = c.log
  and file.file_id = c.file_id
where c.layer = 'posix'
  and c.op in ('unlink', 'rename', 'truncate')
  and c.calls > coalesce(c.failed, 0)
group by c.log, c.file_id
