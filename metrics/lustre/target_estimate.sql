-- What each storage target (OST) got, from counters alone.
--
-- Counters do not say where in a file its bytes went: at least nothing (0),
-- all of it where the file lies on this target only, and at most all of it.
-- The estimate spreads the bytes of a file evenly over its targets, which is
-- right for files much longer than a full round of stripes. `target_load` is
-- exact where single calls were recorded.
--
-- rows: one row per log, target and direction with bytes in files on it
-- needs: lustre_target, file_layer
-- log            | i32 | log   | number of the log in this analysis
-- ost_id         | i64 | id    | object storage target
-- op             | str | name  | read or write
-- files          | i64 | files | files on it, alone or with others
-- low_bytes      | i64 | bytes | bytes in files that lie on it alone
-- estimate_bytes | f64 | bytes | bytes if those of each file are spread evenly over its targets
-- high_bytes     | i64 | bytes | bytes of all files on it
with layout as (
  select log,
         file_id,
         ost_id,
         count(*) over (partition by log, file_id) as targets
  from (
    select log,
           file_id,
           ost_id
    from lustre_target
    where ost_id is not null
    group by log, file_id, ost_id
  ) as each_target
)
select layout.log,
       layout.ost_id,
       f.op,
       count(*)                                                        as files,
       sum(case when layout.targets = 1 then f.bytes else 0 end)       as low_bytes,
       sum(ratio(f.bytes, layout.targets))                             as estimate_bytes,
       sum(f.bytes)                                                    as high_bytes
from layout
join (
  select log,
         file_id,
         'read'     as op,
         bytes_read as bytes
  from file_layer
  where layer = 'posix'
    and bytes_read > 0
  union all
  select log,
         file_id,
         'write'       as op,
         bytes_written as bytes
  from file_layer
  where layer = 'posix'
    and bytes_written > 0
) as f
  on f.log = layout.log
  and f.file_id = layout.file_id
group by layout.log, layout.ost_id, f.op
