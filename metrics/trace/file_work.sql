-- What the processor does for the bytes of each file: converting text, packing and unpacking,
-- keeping archives, making objects of bytes. Who reads or writes the same bytes again does it again.
--
-- Of each file the process that does most counts. Text is as in `beside_calls`; the rest needs
-- samples of the processor (`diya run --stacks`).
--
-- rows: one row per log, file, direction and class of work that takes time
-- needs: beside_calls, processor_work
-- log     | i32 | log     | number of the log in this analysis
-- file_id | u64 | file_id | joins with `file`
-- op      | str | name    | read or write
-- class   | str | name    | as in `time_account`: text, or library (packing and objects)
-- low_s   | f64 | s       | seconds at least
-- high_s  | f64 | s       | seconds at most
with done as (
  select log,
         file_id,
         rank,
         op,
         'text' as class,
         low_s,
         high_s
  from beside_calls
  where kind = 'text'
    and op in ('read', 'write')
  union all
  select log,
         file_id,
         rank,
         op,
         'library' as class,
         passed_s  as low_s,
         passed_s  as high_s
  from processor_work
  where kind in ('compression', 'archive', 'serialisation')
    and place = 'between'
    and op in ('read', 'write')
    and file_id is not null
),
summed as (
  select log,
         file_id,
         rank,
         op,
         class,
         sum(low_s)  as low_s,
         sum(high_s) as high_s
  from done
  group by log, file_id, rank, op, class
)
select log,
       file_id,
       op,
       class,
       max(low_s)  as low_s,
       max(high_s) as high_s
from summed
group by log, file_id, op, class
order by log, file_id, op, class
