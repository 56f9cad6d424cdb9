-- Which lines of the program's sources make the calls, and what these cost.
--
-- The line is that of the user's own code (`user_frame`), with the library function
-- that it called. Needs a recording with call stacks (`diya run --stacks`). Calls
-- inside other calls are counted in their own layer, under the same line: add up
-- within one layer only.
--
-- rows: one row per log, file, layer, kind of call, source line and library function
-- needs: call, user_frame
-- requires: user_frame
-- log          | i32 | log     | number of the log in this analysis
-- file_id      | u64 | file_id | joins with `file`
-- layer        | str | name    | as in `call`
-- op           | str | name    | as in `call`
-- source       | str | text    | function (file:line)
-- library_call | str | name    | as in `user_frame` | the line makes the recorded call itself
-- ranks        | i64 | ranks   | ranks that made the calls
-- calls        | i64 | calls   | calls
-- bytes        | i64 | bytes   | bytes moved | the calls move no data
-- time_s       | f64 | s       | time in the calls, summed over ranks
select c.log,
       c.file_id,
       c.layer,
       c.op,
       u.source,
       u.library_call,
       count(distinct c.rank) as ranks,
       sum(c.calls)           as calls,
       sum(c.size_bytes)      as bytes,
       sum(c.busy_s)          as time_s
from call as c
join user_frame as u
  on u.log = c.log
  and u.stack_id = c.stack_id
group by 1, 2, 3, 4, 5, 6
