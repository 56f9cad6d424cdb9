-- What each layer moved for each file, datasets and variables added up to the
-- file that holds them.
--
-- Reads and writes only. NetCDF has no counters of its own in Darshan: its
-- rows come from own traces.
--
-- rows: one row per log, file, direction and layer that moved data
-- needs: file_op, hdf5_dataset, pnetcdf_var, file, op_count
-- log     | i32 | log     | number of the log in this analysis
-- file_id | u64 | file_id | the file, not a dataset or variable in it; joins with `file`
-- op      | str | name    | read or write
-- layer   | str | name    | netcdf, hdf5_dataset, pnetcdf_var, mpiio, posix, stdio, dfs or daos
-- depth   | i64 | index   | place of the layer: 0 netcdf, 1 hdf5_dataset and pnetcdf_var, 2 mpiio, 3 posix, stdio and dfs, 4 daos
-- calls   | i64 | calls   | requests
-- bytes   | i64 | bytes   | bytes moved | not recorded
-- time_s  | f64 | s       | time in the requests, summed over ranks | not recorded
-- records | i64 | records | counter records behind the numbers
-- ranks   | i64 | ranks   | ranks with a record of it | one record for all ranks
with parents as (
  select log,
         file_id,
         max(file_rec_id) as parent_id
  from hdf5_dataset
  group by log, file_id
  union all
  select log,
         file_id,
         max(file_rec_id) as parent_id
  from pnetcdf_var
  group by log, file_id
),
moved as (
  select log,
         file_id,
         rank,
         layer,
         op,
         calls,
         bytes,
         time_s
  from file_op
  where op in ('read', 'write')
  union all
  select log,
         file_id,
         rank,
         layer,
         op,
         calls,
         bytes,
         time_s
  from op_count
  where layer = 'netcdf'
    and op in ('read', 'write')
),
placed as (
  select m.log,
         coalesce(parents.parent_id, file.parent_id, m.file_id) as file_id,
         m.rank,
         m.layer,
         m.op,
         m.calls,
         m.bytes,
         m.time_s
  from moved as m
  left join parents
    on parents.log = m.log
    and parents.file_id = m.file_id
  left join file
    on file.log = m.log
    and file.file_id = m.file_id
)
select log,
       file_id,
       op,
       layer,
       layer_depth(layer) as depth,
       sum(calls)  as calls,
       sum(bytes)  as bytes,
       sum(time_s) as time_s,
       count(*)    as records,
       case when min(rank) >= 0 then count(distinct rank) end as ranks
from placed
group by log, file_id, op, layer
