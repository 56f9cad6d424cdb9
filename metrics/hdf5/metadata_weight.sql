-- What HDF5 moves to create, open and close its objects, beside the data of the program, by the call
-- stacks of the calls below it: also where HDF5 is linked into the program, and its own calls
-- are not recorded.
--
-- rows: one row per log, file and rank with calls inside functions of HDF5
-- needs: processor_work
-- also: call, user_frame
-- log            | i32 | log     | number of the log in this analysis
-- file_id        | u64 | file_id | the file of HDF5; joins with `file`
-- rank           | i32 | rank    | rank
-- metadata_calls | i64 | calls   | reads and writes inside functions that create, open or close objects
-- metadata_bytes | i64 | bytes   | bytes of these
-- metadata_s     | f64 | s       | time of these
-- transfers      | i64 | calls   | reads and writes inside H5Dread and H5Dwrite
-- data_bytes     | i64 | bytes   | bytes of these
-- data_s         | f64 | s       | time of these
-- own_s          | f64 | s       | in code of HDF5, by samples of the processor | no samples
with inside as (
  select c.log,
         c.file_id,
         c.rank,
         case when c.layer = 'mpiio' then 1 else 0 end                                            as is_mpiio,
         case when u.library_call like 'H5Dread%' or u.library_call like 'H5Dwrite%' then 1 else 0 end as is_data,
         coalesce(c.size_bytes, 0)                                                                as bytes,
         c.busy_s,
         c.calls
  from call as c
  join user_frame as u
    on u.log = c.log
    and u.stack_id = c.stack_id
  where c.layer in ('posix', 'mpiio')
    and c.op in ('read', 'write')
    and (u.library_call like 'H5D%' or u.library_call like 'H5G%' or u.library_call like 'H5F%'
      or u.library_call like 'H5O%')
),
worked as (
  select log,
         rank,
         file_id,
         sum(passed_s) as own_s
  from processor_work
  where kind = 'hdf5'
  group by log, rank, file_id
),
summed as (
  select log,
         file_id,
         rank,
         is_mpiio,
         -- what MPI-IO calls is part of its call
         max(is_mpiio) over (partition by log, file_id) as has_mpiio,
         sum(calls * (1 - is_data))    as metadata_calls,
         sum(bytes * (1 - is_data))    as metadata_bytes,
         sum(busy_s * (1 - is_data))   as metadata_s,
         sum(calls * is_data)          as transfers,
         sum(bytes * is_data)          as data_bytes,
         sum(busy_s * is_data)         as data_s
  from inside
  group by log, file_id, rank, is_mpiio
)
select s.log,
       s.file_id,
       s.rank,
       s.metadata_calls,
       s.metadata_bytes,
       s.metadata_s,
       s.transfers,
       s.data_bytes,
       s.data_s,
       w.own_s
from summed as s
left join worked as w
  on w.log = s.log
  and w.rank = s.rank
  and w.file_id = s.file_id
where s.is_mpiio = s.has_mpiio
order by s.log, s.file_id, s.rank
