-- What of the time in C streams a larger buffer, or whole arrays in one call, do not make shorter: a line
-- is looked for and copied all the same, and a stream whose buffer the program sets has the one it wants.
--
-- rows: one row per log, file and rank with calls on streams that are known by function
-- needs: stdio
-- also: op_count
-- log           | i32  | log     | number of the log in this analysis
-- file_id       | u64  | file_id | joins with `file`
-- rank          | i32  | rank    | rank
-- line_s        | f64  | s       | in `fgets`, `getline`, `getdelim`
-- stream_s      | f64  | s       | in all reads and writes of the stream
-- is_own_buffer | bool | flag    | the program sets the buffer of the stream (`setvbuf` and its like)
with functions as (
  select log,
         file_id,
         rank,
         sum(case when op in ('read', 'write') and function in ('fgets', 'fgets_unlocked', 'getline', 'getdelim', '__getdelim') then time_s else 0.0 end) as line_s,
         sum(case when op in ('read', 'write') then time_s else 0.0 end)                                             as stream_s,
         max(case when function in ('setvbuf', 'setbuf', 'setbuffer', 'setlinebuf') then 1 else 0 end)               as sets
  from op_count
  where layer = 'stdio'
    and function is not null
  group by log, file_id, rank
)
select f.log,
       f.file_id,
       f.rank,
       f.line_s,
       f.stream_s,
       f.sets > 0 as is_own_buffer
from (select log from stdio group by log) as streams
join functions as f
  on f.log = streams.log
