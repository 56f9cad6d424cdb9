-- The three files with the most time in each class of calls, layer by layer.
--
-- Findings that name no file of their own are about these where few files have most of the time.
--
-- rows: one row per log, layer, class and file among the first three with time in it
-- needs: file_use
-- also: file, mapped_file
-- log        | i32 | log     | number of the log in this analysis
-- layer      | str | name    | as in `call`
-- class      | str | name    | read, write or metadata (with syncs)
-- place      | i64 | index   | 1: the most time
-- file_id    | u64 | file_id | joins with `file`
-- path       | str | path    | name as recorded | not recorded, or calls about no file
-- size_bytes | i64 | bytes   | end of the last byte that was read, written or mapped | not recorded
-- time_s     | f64 | s       | time in these calls, summed over ranks
-- all_s      | f64 | s       | the same of all files
with of_file as (
  select log,
         file_id,
         layer,
         sum(read_s)         as read_s,
         sum(write_s)        as write_s,
         sum(metadata_s)     as metadata_s,
         max(case when max_offset > 0 then max_offset + 1 end) as size_bytes -- 0: a mapped file, nothing was read or written
  from file_use
  group by log, file_id, layer
),
by_class as (
  select log, layer, 'read' as class, file_id, size_bytes, read_s as time_s from of_file
  union all
  select log, layer, 'write' as class, file_id, size_bytes, write_s as time_s from of_file
  union all
  select log, layer, 'metadata' as class, file_id, size_bytes, metadata_s as time_s from of_file
),
placed as (
  select log,
         layer,
         class,
         file_id,
         size_bytes,
         time_s,
         row_number() over (partition by log, layer, class order by time_s desc, file_id) as place,
         sum(time_s) over (partition by log, layer, class)                                as all_s
  from by_class
  where time_s > 0.0
)
select p.log,
       p.layer,
       p.class,
       p.place,
       p.file_id,
       nullif(f.path, '<unknown>') as path, -- calls about no file
       greatest(p.size_bytes, m.end_bytes) as size_bytes,
       p.time_s,
       p.all_s
from placed as p
left join mapped_file as m
  on m.log = p.log
  and m.file_id = p.file_id
left join file as f
  on f.log = p.log
  and f.file_id = p.file_id
where p.place <= 3
