-- How much of the time in C streams goes into handing on lines: a larger buffer, or whole arrays in
-- one call, do not make that shorter, since each line is looked for and copied all the same.
--
-- rows: one row per log with streams and calls that are known by function
-- needs: stdio
-- also: op_count
-- log        | i32 | log | number of the log in this analysis
-- line_s     | f64 | s   | in `fgets`, `getline`, `getdelim`, all processes together
-- stream_s   | f64 | s   | in all reads and writes of streams
-- line_ratio | f64 | 1   | the one over the other
with lines as (
  select log,
         sum(case when function in ('fgets', 'fgets_unlocked', 'getline', 'getdelim', '__getdelim') then time_s else 0.0 end) as line_s,
         sum(time_s) as stream_s
  from op_count
  where layer = 'stdio'
    and op in ('read', 'write')
    and function is not null
  group by log
)
select streams.log,
       lines.line_s,
       lines.stream_s,
       ratio(lines.line_s, lines.stream_s) as line_ratio
from (select log from stdio group by log) as streams
join lines on lines.log = streams.log
