-- Time in I/O of each rank, layers not counted twice.
--
-- Of MPI-IO and POSIX in one file only the longer time counts: the POSIX calls
-- are made inside the MPI-IO calls, and an aggregator of collective I/O makes
-- them for others. HDF5, PnetCDF and NetCDF calls are left out: their I/O is
-- in the layers below, their own computing is not I/O.
--
-- rows: one row per log and rank with records in posix, mpiio, stdio, dfs or daos
-- needs: file_use
-- log        | i32 | log   | number of the log in this analysis
-- rank       | i32 | rank  | rank; -1: files of all ranks
-- io_s       | f64 | s     | time in I/O; where rank is -1, of the slowest rank of each file, summed over files | not recorded
-- summed_s   | f64 | s     | time in I/O; where rank is -1, summed over ranks | not recorded
-- metadata_s | f64 | s     | part of summed_s in metadata calls | not recorded
-- bytes      | i64 | bytes | bytes moved by the lowest layer that counts them | not recorded
select log,
       rank,
       sum(greatest(coalesce(posix_s, 0), coalesce(mpiio_s, 0)) + coalesce(other_s, 0))                as io_s,
       sum(greatest(coalesce(posix_sum_s, 0), coalesce(mpiio_sum_s, 0)) + coalesce(other_sum_s, 0))    as summed_s,
       sum(greatest(coalesce(posix_meta_s, 0), coalesce(mpiio_meta_s, 0)) + coalesce(other_meta_s, 0)) as metadata_s,
       sum(coalesce(posix_bytes, mpiio_bytes, 0) + coalesce(other_bytes, 0))                           as bytes
from (
  select log,
         rank,
         file_id,
         sum(case when layer = 'posix' then slowest_s end)                                 as posix_s,
         sum(case when layer = 'mpiio' then slowest_s end)                                 as mpiio_s,
         sum(case when layer in ('stdio', 'dfs', 'daos') then slowest_s end)               as other_s,
         sum(case when layer = 'posix' then read_s + write_s + metadata_s end)             as posix_sum_s,
         sum(case when layer = 'mpiio' then read_s + write_s + metadata_s end)             as mpiio_sum_s,
         sum(case when layer in ('stdio', 'dfs', 'daos') then read_s + write_s + metadata_s end) as other_sum_s,
         sum(case when layer = 'posix' then metadata_s end)                                as posix_meta_s,
         sum(case when layer = 'mpiio' then metadata_s end)                                as mpiio_meta_s,
         sum(case when layer in ('stdio', 'dfs', 'daos') then metadata_s end)              as other_meta_s,
         sum(case when layer = 'posix' then bytes_read + bytes_written end)                as posix_bytes,
         sum(case when layer = 'mpiio' then bytes_read + bytes_written end)                as mpiio_bytes,
         sum(case when layer in ('stdio', 'dfs', 'daos') then bytes_read + bytes_written end) as other_bytes
  from file_use
  where layer in ('posix', 'mpiio', 'stdio', 'dfs', 'daos')
  group by log, rank, file_id
) as each_file
group by log, rank
