-- The most frequent request sizes of each layer.
--
-- Darshan keeps the four most frequent sizes of each record: sizes that are
-- never among them are missing, so calls is a lower bound.
--
-- rows: one row per log, layer and one of the ten most frequent sizes
-- needs: access_size
-- log        | i32 | log   | number of the log in this analysis
-- layer      | str | name  | as in `access_size`
-- position   | i64 | index | 1 for the most frequent size
-- size_bytes | i64 | bytes | request size
-- calls      | i64 | calls | requests of that size, reads and writes together
select log,
       layer,
       position,
       size_bytes,
       calls
from (
  select log,
         layer,
         size_bytes,
         calls,
         row_number() over (partition by log, layer order by calls desc, size_bytes desc) as position
  from (
    select log,
           layer,
           size_bytes,
           sum(calls) as calls
    from access_size
    group by log, layer, size_bytes
  ) as sizes
) as sorted_sizes
where position <= 10
