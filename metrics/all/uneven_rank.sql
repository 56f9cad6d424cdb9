-- The slowest rank of each layer and file, with the numbers that it converts beside its calls.
--
-- rows: one row per row of `lost_imbalance` for posix and stdio
-- needs: lost_imbalance, beside_calls
-- log          | i32 | log     | number of the log in this analysis
-- layer        | str | name    | posix or stdio
-- file_id      | u64 | file_id | joins with `file` | files of single ranks, together
-- rank         | i32 | rank    | slowest rank | not recorded
-- ranks        | i64 | ranks   | ranks that are compared
-- slowest_s    | f64 | s       | its time in calls and in converting their text
-- mean_s       | f64 | s       | mean of all ranks
-- text_s       | f64 | s       | of slowest_s, converting text
-- lost_low_s   | f64 | s       | seconds in calls that equal times save at least
-- lost_high_s  | f64 | s       | seconds in calls that equal times save at most
-- text_low_s   | f64 | s       | seconds in converting text that equal times save at least
-- text_high_s  | f64 | s       | seconds in converting text that equal times save at most
with text as (
  select log, layer, rank, sum(low_s) as low_s, sum(high_s) as high_s
  from beside_calls
  where kind = 'text'
  group by log, layer, rank
),
of_all as (
  select log, layer, sum(high_s) as high_s
  from text
  group by log, layer
),
compared as (
  select lost.log,
         lost.layer,
         lost.file_id,
         lost.rank,
         lost.ranks,
         lost.slowest_s,
         lost.mean_s,
         lost.lost_low_s,
         lost.lost_high_s,
         coalesce(text.low_s, 0.0)                      as text_low_s,
         coalesce(text.high_s, 0.0)                     as text_s,
         coalesce(ratio(of_all.high_s, lost.ranks), 0.0) as mean_text_s
  from lost_imbalance as lost
  left join text
    on text.log = lost.log
    and text.layer = lost.layer
    and text.rank = lost.rank
    and lost.file_id is null
  left join of_all
    on of_all.log = lost.log
    and of_all.layer = lost.layer
    and lost.file_id is null
  where lost.layer in ('posix', 'stdio')
)
select log,
       layer,
       file_id,
       rank,
       ranks,
       slowest_s + text_s                       as slowest_s,
       mean_s + mean_text_s                     as mean_s,
       text_s,
       lost_low_s,
       lost_high_s,
       greatest(text_low_s - mean_text_s, 0.0)  as text_low_s, -- the mean at most
       greatest(text_s - mean_text_s, 0.0)      as text_high_s
from compared
