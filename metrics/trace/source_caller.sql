-- Which lines of the program's sources make the calls, by the lines that call these.
--
-- Where a function of the program's own makes the calls for several places, its line is
-- that of all of them: `callers` says from which place the seconds come. The recorder takes
-- a stack once for each return address and stack pointer: two places of one function that
-- call the helper count as one. Needs a recording with call stacks (`diya run --stacks`). Calls inside other calls are counted in their own
-- layer, under the same line: add up within one layer only.
--
-- rows: one row per log, file, layer, kind of call, source line, library function, recorded function and callers
-- needs: call, user_frame
-- requires: user_frame
-- log          | i32 | log     | number of the log in this analysis
-- file_id      | u64 | file_id | joins with `file`
-- layer        | str | name    | as in `call`
-- op           | str | name    | as in `call`
-- source       | str | text    | function (file:line)
-- library_call | str | name    | as in `user_frame` | the line makes the recorded call itself
-- function     | str | name    | as in `call` | not recorded
-- callers      | str | text    | as in `user_frame` | it is the outermost line of the user's
-- symbol       | str | name    | as in `user_frame` | not known
-- origin       | str | name    | as in `user_frame`: user, or library where no frame is the user's
-- calls        | i64 | calls   | calls
-- time_s       | f64 | s       | time in the calls, summed over ranks
select c.log,
       c.file_id,
       c.layer,
       c.op,
       u.source,
       u.library_call,
       c.function,
       u.callers,
       min(u.symbol)  as symbol,
       max(u.origin)  as origin,
       sum(c.calls)   as calls,
       sum(c.busy_s)  as time_s
from call as c
join user_frame as u
  on u.log = c.log
  and u.stack_id = c.stack_id
group by 1, 2, 3, 4, 5, 6, 7, 8
