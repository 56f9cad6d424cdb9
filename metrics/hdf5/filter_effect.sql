-- How small the filters of HDF5 make what a process writes.
--
-- The difference between the bytes that go to datasets and those that reach the files of HDF5 is
-- what filters save; headers and metadata of HDF5 count against them. Sizes are those in memory:
-- where HDF5 converts to a smaller type, the filter seems to save more.
--
-- rows: one row per log and rank that writes to datasets with a filter
-- needs: op_count, attribute
-- log          | i32 | log   | number of the log in this analysis
-- rank         | i32 | rank  | rank
-- packed_bytes | i64 | bytes | bytes written to datasets with a filter
-- saved_bytes  | i64 | bytes | bytes by which less reaches the files
-- stored_ratio | f64 | 1     | share of the packed bytes that reaches the files
with packed as (
  select log,
         file_id
  from attribute
  where name = 'filters'
    and value <> '' -- none
  group by log, file_id
),
written as (
  select c.log,
         c.rank,
         sum(coalesce(c.bytes, 0))                                                    as bytes,
         sum(case when packed.file_id is not null then coalesce(c.bytes, 0) else 0 end) as packed_bytes
  from op_count as c
  left join packed
    on packed.log = c.log
    and packed.file_id = c.file_id
  where c.layer = 'hdf5_dataset'
    and c.op = 'write'
  group by c.log, c.rank
),
container as ( -- the files of HDF5
  select log,
         file_id
  from op_count
  where layer = 'hdf5_file'
  group by log, file_id
),
stored as (
  select p.log,
         p.rank,
         sum(coalesce(p.bytes, 0)) as bytes
  from op_count as p
  join container
    on container.log = p.log
    and container.file_id = p.file_id
  where p.layer = 'posix'
    and p.op = 'write'
  group by p.log, p.rank
)
select written.log,
       written.rank,
       written.packed_bytes,
       written.bytes - stored.bytes as saved_bytes,
       ratio(greatest(written.packed_bytes - (written.bytes - stored.bytes), 0), written.packed_bytes) as stored_ratio
from written
join stored
  on stored.log = written.log
  and stored.rank = written.rank
where written.packed_bytes > 0
  and stored.bytes > 0
