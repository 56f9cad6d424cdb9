-- What each layer did with each file: the counters that all layers have, under
-- one name each.
--
-- A time below zero is a fault of its recorder. Down to -10 ms it comes of
-- subtracting calls of other threads, or of rounding: none. Below, of subtracting
-- clocks that had been set: it says nothing.
--
-- Layers are nested: a write through MPI-IO is in the row of mpiio and, where
-- it reached the file, in that of posix. Add up within one layer only.
--
-- rows: one row per log, file, rank and layer with a record
-- needs: job, posix, mpiio, stdio, hdf5_dataset, pnetcdf_var, dfs, daos, hdf5_file, pnetcdf_file
-- log           | i32 | log      | number of the log in this analysis
-- file_id       | u64 | file_id  | joins with `file`
-- rank          | i32 | rank     | rank; -1: one record for all ranks of the job
-- layer         | str | name     | as in `call`
-- opens         | i64 | calls    | open calls of all kinds, without fileno and dup | the layer or the version does not record it
-- reads         | i64 | calls    | read calls of all kinds | the layer or the version does not record it
-- writes        | i64 | calls    | write calls of all kinds | the layer or the version does not record it
-- seeks         | i64 | calls    | seek calls | the layer or the version does not record it
-- stats         | i64 | calls    | stat calls | the layer or the version does not record it
-- syncs         | i64 | calls    | sync calls; flushes in stdio and HDF5 | the layer or the version does not record it
-- bytes_read    | i64 | bytes    | bytes read | the layer or the version does not record it
-- bytes_written | i64 | bytes    | bytes written | the layer or the version does not record it
-- read_s        | f64 | s        | time in reads; summed over ranks in a row of all ranks | the layer or the version does not record it, or it is far below zero
-- write_s       | f64 | s        | time in writes, likewise | the layer or the version does not record it, or it is far below zero
-- metadata_s    | f64 | s        | time in opens, closes, stats, seeks and syncs, likewise | the layer or the version does not record it, or it is far below zero
-- slowest_s     | f64 | s        | time in calls of the slowest rank on this file | the layer or the version does not record it, or it is far below zero
-- slowest_rank  | i64 | rank     | that rank | the layer or the version does not record it
-- fastest_s     | f64 | s        | time in calls of the fastest rank on this file | the layer or the version does not record it, or it is far below zero
-- fastest_rank  | i64 | rank     | that rank | the layer or the version does not record it
-- first_s       | f64 | s        | start of the first call, since the start of the job | the layer or the version does not record it
-- last_s        | f64 | s        | end of the last call, since the start of the job | the layer or the version does not record it
-- max_offset    | i64 | bytes    | highest byte offset read or written | the layer or the version does not record it
-- rw_switches   | i64 | switches | changes between reading and writing | the layer or the version does not record it
with recorded as (
  select posix.log,
         file_id,
         rank,
         'posix' as layer,
         -- Darshan counts fileno and dup among opens: they open nothing
         greatest(opens - case when job.format = 'darshan'
                               then coalesce(filenos, 0) + coalesce(dups, 0) else 0 end, 0) as opens,
         reads,
         writes,
         seeks,
         stats,
         fsyncs + coalesce(fdsyncs, 0) as syncs,
         bytes_read,
         bytes_written,
         f_read_time as read_s,
         f_write_time as write_s,
         f_meta_time as metadata_s,
         case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_read_end_timestamp, f_write_end_timestamp, f_close_end_timestamp) as last_s,
         greatest(max_byte_read, max_byte_written) as max_offset,
         rw_switches
  from posix
  join job
    on job.log = posix.log
  union all
  select log,
         file_id,
         rank,
         'mpiio' as layer,
         indep_opens + coll_opens as opens,
         indep_reads + coll_reads + split_reads + nb_reads as reads,
         indep_writes + coll_writes + split_writes + nb_writes as writes,
         null as seeks,
         null as stats,
         syncs,
         bytes_read,
         bytes_written,
         f_read_time as read_s,
         f_write_time as write_s,
         f_meta_time as metadata_s,
         case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_read_end_timestamp, f_write_end_timestamp, f_close_end_timestamp) as last_s,
         null as max_offset,
         rw_switches
  from mpiio
  union all
  select log,
         file_id,
         rank,
         'stdio' as layer,
         opens + coalesce(fdopens, 0) as opens,
         reads,
         writes,
         seeks,
         null as stats,
         flushes as syncs,
         bytes_read,
         bytes_written,
         f_read_time as read_s,
         f_write_time as write_s,
         f_meta_time as metadata_s,
         case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_read_end_timestamp, f_write_end_timestamp, f_close_end_timestamp) as last_s,
         greatest(max_byte_read, max_byte_written) as max_offset,
         null as rw_switches
  from stdio
  union all
  select log,
         file_id,
         rank,
         'hdf5_dataset' as layer,
         opens,
         reads,
         writes,
         null as seeks,
         null as stats,
         flushes as syncs,
         bytes_read,
         bytes_written,
         f_read_time as read_s,
         f_write_time as write_s,
         f_meta_time as metadata_s,
         case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_read_end_timestamp, f_write_end_timestamp, f_close_end_timestamp) as last_s,
         null as max_offset,
         rw_switches
  from hdf5_dataset
  union all
  select log,
         file_id,
         rank,
         'pnetcdf_var' as layer,
         opens,
         indep_reads + coll_reads + nb_reads as reads,
         indep_writes + coll_writes + nb_writes as writes,
         null as seeks,
         null as stats,
         null as syncs,
         bytes_read,
         bytes_written,
         f_read_time as read_s,
         f_write_time as write_s,
         f_meta_time as metadata_s,
         case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_read_end_timestamp, f_write_end_timestamp, f_close_end_timestamp) as last_s,
         null as max_offset,
         rw_switches
  from pnetcdf_var
  union all
  select log,
         file_id,
         rank,
         'dfs' as layer,
         opens + global_opens + lookups as opens,
         reads + readxs as reads,
         writes + writexs as writes,
         null as seeks,
         stats + get_sizes as stats,
         null as syncs,
         bytes_read,
         bytes_written,
         f_read_time as read_s,
         f_write_time as write_s,
         f_meta_time as metadata_s,
         case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_read_end_timestamp, f_write_end_timestamp, f_close_end_timestamp) as last_s,
         null as max_offset,
         rw_switches
  from dfs
  union all
  select log,
         file_id,
         rank,
         'daos' as layer,
         obj_opens + array_opens + kv_opens as opens,
         obj_fetches + array_reads + kv_gets as reads,
         obj_updates + array_writes + kv_puts as writes,
         null as seeks,
         array_stats + array_get_sizes as stats,
         null as syncs,
         bytes_read,
         bytes_written,
         f_read_time as read_s,
         f_write_time as write_s,
         f_meta_time as metadata_s,
         case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_read_end_timestamp, f_write_end_timestamp, f_close_end_timestamp) as last_s,
         null as max_offset,
         rw_switches
  from daos
  union all
  select log,
         file_id,
         rank,
         'hdf5_file' as layer,
         opens,
         null as reads,
         null as writes,
         null as seeks,
         null as stats,
         flushes as syncs,
         null as bytes_read,
         null as bytes_written,
         null as read_s,
         null as write_s,
         f_meta_time as metadata_s,
         null as slowest_s,
         null as slowest_rank,
         null as fastest_s,
         null as fastest_rank,
         least(f_open_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_close_end_timestamp) as last_s,
         null as max_offset,
         null as rw_switches
  from hdf5_file
  union all
  select log,
         file_id,
         rank,
         'pnetcdf_file' as layer,
         creates + coalesce(opens, 0) + coalesce(indep_opens, 0) + coalesce(coll_opens, 0) as opens,
         null as reads,
         null as writes,
         null as seeks,
         null as stats,
         syncs,
         null as bytes_read,
         null as bytes_written,
         null as read_s,
         null as write_s,
         f_meta_time as metadata_s,
         null as slowest_s,
         null as slowest_rank,
         null as fastest_s,
         null as fastest_rank,
         least(f_open_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_close_end_timestamp) as last_s,
         null as max_offset,
         null as rw_switches
  from pnetcdf_file
)
select log,
       file_id,
       rank,
       layer,
       opens,
       reads,
       writes,
       seeks,
       stats,
       syncs,
       bytes_read,
       bytes_written,
       case when read_s > -0.01 then greatest(read_s, 0.0) end as read_s,
       case when write_s > -0.01 then greatest(write_s, 0.0) end as write_s,
       case when metadata_s > -0.01 then greatest(metadata_s, 0.0) end as metadata_s,
       case when slowest_s > -0.01 then greatest(slowest_s, 0.0) end as slowest_s,
       slowest_rank,
       case when fastest_s > -0.01 then greatest(fastest_s, 0.0) end as fastest_s,
       fastest_rank,
       first_s,
       last_s,
       max_offset,
       rw_switches
from recorded
