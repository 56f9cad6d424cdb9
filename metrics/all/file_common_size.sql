-- The most frequent request sizes of each file.
--
-- Darshan keeps the four most frequent sizes of each record: sizes that are
-- never among them are missing, so calls is a lower bound.
--
-- rows: one row per log, file, layer and one of its four most frequent sizes
-- needs: access_size
-- log        | i32 | log     | number of the log in this analysis
-- file_id    | u64 | file_id | joins with `file`
-- layer      | str | name    | as in `access_size`
-- position   | i64 | index   | 1 for the most frequent size
-- size_bytes | i64 | bytes   | request size
-- calls      | i64 | calls   | requests of that size, reads and writes together
select log,
       file_id,
       layer,
       position,
       size_bytes,
       calls
from (
  select log,
         file_id,
         layer,
         size_bytes,
         calls,
         row_number() over (partition by log, file_id, layer order by calls desc, size_bytes desc) as position
  from (
    select log,
           file_id,
           layer,
           size_bytes,
           sum(calls) as calls
    from access_size
    group by log, file_id, layer, size_bytes
  ) as sizes
) as sorted_sizes
where position <= 4
