-- Which lines of the program's sources make the calls, and what these cost.
--
-- The line is the innermost one of the call stack that is known: that of the
-- program where its libraries have no debug information. Needs a recording with
-- call stacks (`diya run --stacks`). Calls inside other calls are counted in
-- their own layer, under the same line: add up within one layer only.
--
-- rows: one row per log, file, layer, kind of call and source line
-- needs: call, stack_frame
-- requires: stack_frame
-- log     | i32 | log     | number of the log in this analysis
-- file_id | u64 | file_id | joins with `file`
-- layer   | str | name    | as in `call`
-- op      | str | name    | as in `call`
-- source  | str | text    | function (file:line)
-- ranks   | i64 | ranks   | ranks that made the calls
-- calls   | i64 | calls   | calls
-- bytes   | i64 | bytes   | bytes moved | the calls move no data
-- time_s  | f64 | s       | time in the calls, summed over ranks
select c.log,
       c.file_id,
       c.layer,
       c.op,
       coalesce(s.function, '?') || ' (' || s.file || ':' || cast(s.line as varchar) || ')' as source,
       count(distinct c.rank) as ranks,
       sum(c.calls)           as calls,
       sum(c.size_bytes)      as bytes,
       sum(c.busy_s)          as time_s
from call as c
join (
  select log,
         stack_id,
         min(depth) as depth
  from stack_frame
  where line is not null
  group by log, stack_id
) as nearest
  on nearest.log = c.log
  and nearest.stack_id = c.stack_id
join stack_frame as s
  on s.log = nearest.log
  and s.stack_id = nearest.stack_id
  and s.depth = nearest.depth
group by 1, 2, 3, 4, 5
