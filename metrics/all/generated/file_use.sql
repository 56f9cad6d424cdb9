-- What each layer did with each file: the counters that all layers have, under
-- one name each.
--
-- A time below zero is a fault of its recorder: `recorded_time` makes it zero down
-- to -10 ms (rounding, calls of other threads), and unknown below (clocks that were
-- set).
--
-- What counts as a read, an open, a metadata time ... is the role of a counter in
-- schema/tables. Where a layer has several counters of a role, this is the sum of
-- those that were recorded.
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
  -- by `cargo xtask generate`, around these queries as in xtask/src/generate/file_use.sql
  -- from the roles in schema/tables/posix.toml, by `cargo xtask generate`
  select posix.log,
         file_id,
         rank,
         'posix' as layer,
         greatest(opens - case when job.format = 'darshan' then coalesce(filenos, 0) + coalesce(dups, 0) else 0 end, 0) as opens,
         reads,
         writes,
         seeks,
         stats,
         case when coalesce(fsyncs, fdsyncs) is not null then coalesce(fsyncs, 0) + coalesce(fdsyncs, 0) end as syncs,
         bytes_read,
         bytes_written,
         recorded_time(f_read_time) as read_s,
         recorded_time(f_write_time) as write_s,
         recorded_time(f_meta_time) as metadata_s,
         recorded_time(case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end) as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         recorded_time(case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end) as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_read_end_timestamp, f_write_end_timestamp, f_close_end_timestamp) as last_s,
         greatest(max_byte_read, max_byte_written) as max_offset,
         rw_switches
  from posix
  join job
    on job.log = posix.log
  union all
  -- from the roles in schema/tables/mpiio.toml, by `cargo xtask generate`
  select log,
         file_id,
         rank,
         'mpiio' as layer,
         case when coalesce(indep_opens, coll_opens) is not null then coalesce(indep_opens, 0) + coalesce(coll_opens, 0) end as opens,
         case when coalesce(indep_reads, coll_reads, split_reads, nb_reads) is not null then coalesce(indep_reads, 0) + coalesce(coll_reads, 0) + coalesce(split_reads, 0) + coalesce(nb_reads, 0) end as reads,
         case when coalesce(indep_writes, coll_writes, split_writes, nb_writes) is not null then coalesce(indep_writes, 0) + coalesce(coll_writes, 0) + coalesce(split_writes, 0) + coalesce(nb_writes, 0) end as writes,
         null as seeks,
         null as stats,
         syncs,
         bytes_read,
         bytes_written,
         recorded_time(f_read_time) as read_s,
         recorded_time(f_write_time) as write_s,
         recorded_time(f_meta_time) as metadata_s,
         recorded_time(case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end) as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         recorded_time(case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end) as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_read_end_timestamp, f_write_end_timestamp, f_close_end_timestamp) as last_s,
         null as max_offset,
         rw_switches
  from mpiio
  union all
  -- from the roles in schema/tables/stdio.toml, by `cargo xtask generate`
  select log,
         file_id,
         rank,
         'stdio' as layer,
         case when coalesce(opens, fdopens) is not null then coalesce(opens, 0) + coalesce(fdopens, 0) end as opens,
         reads,
         writes,
         seeks,
         null as stats,
         flushes as syncs,
         bytes_read,
         bytes_written,
         recorded_time(f_read_time) as read_s,
         recorded_time(f_write_time) as write_s,
         recorded_time(f_meta_time) as metadata_s,
         recorded_time(case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end) as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         recorded_time(case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end) as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_close_start_timestamp, f_write_start_timestamp, f_read_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_close_end_timestamp, f_write_end_timestamp, f_read_end_timestamp) as last_s,
         greatest(max_byte_read, max_byte_written) as max_offset,
         null as rw_switches
  from stdio
  union all
  -- from the roles in schema/tables/hdf5_dataset.toml, by `cargo xtask generate`
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
         recorded_time(f_read_time) as read_s,
         recorded_time(f_write_time) as write_s,
         recorded_time(f_meta_time) as metadata_s,
         recorded_time(case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end) as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         recorded_time(case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end) as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_read_end_timestamp, f_write_end_timestamp, f_close_end_timestamp) as last_s,
         null as max_offset,
         rw_switches
  from hdf5_dataset
  union all
  -- from the roles in schema/tables/pnetcdf_var.toml, by `cargo xtask generate`
  select log,
         file_id,
         rank,
         'pnetcdf_var' as layer,
         opens,
         case when coalesce(indep_reads, coll_reads, nb_reads) is not null then coalesce(indep_reads, 0) + coalesce(coll_reads, 0) + coalesce(nb_reads, 0) end as reads,
         case when coalesce(indep_writes, coll_writes, nb_writes) is not null then coalesce(indep_writes, 0) + coalesce(coll_writes, 0) + coalesce(nb_writes, 0) end as writes,
         null as seeks,
         null as stats,
         null as syncs,
         bytes_read,
         bytes_written,
         recorded_time(f_read_time) as read_s,
         recorded_time(f_write_time) as write_s,
         recorded_time(f_meta_time) as metadata_s,
         recorded_time(case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end) as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         recorded_time(case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end) as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_read_end_timestamp, f_write_end_timestamp, f_close_end_timestamp) as last_s,
         null as max_offset,
         rw_switches
  from pnetcdf_var
  union all
  -- from the roles in schema/tables/dfs.toml, by `cargo xtask generate`
  select log,
         file_id,
         rank,
         'dfs' as layer,
         case when coalesce(opens, global_opens, lookups) is not null then coalesce(opens, 0) + coalesce(global_opens, 0) + coalesce(lookups, 0) end as opens,
         case when coalesce(reads, readxs) is not null then coalesce(reads, 0) + coalesce(readxs, 0) end as reads,
         case when coalesce(writes, writexs) is not null then coalesce(writes, 0) + coalesce(writexs, 0) end as writes,
         null as seeks,
         case when coalesce(get_sizes, stats) is not null then coalesce(get_sizes, 0) + coalesce(stats, 0) end as stats,
         null as syncs,
         bytes_read,
         bytes_written,
         recorded_time(f_read_time) as read_s,
         recorded_time(f_write_time) as write_s,
         recorded_time(f_meta_time) as metadata_s,
         recorded_time(case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end) as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         recorded_time(case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end) as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_read_end_timestamp, f_write_end_timestamp, f_close_end_timestamp) as last_s,
         null as max_offset,
         rw_switches
  from dfs
  union all
  -- from the roles in schema/tables/daos.toml, by `cargo xtask generate`
  select log,
         file_id,
         rank,
         'daos' as layer,
         case when coalesce(obj_opens, array_opens, kv_opens) is not null then coalesce(obj_opens, 0) + coalesce(array_opens, 0) + coalesce(kv_opens, 0) end as opens,
         case when coalesce(obj_fetches, array_reads, kv_gets) is not null then coalesce(obj_fetches, 0) + coalesce(array_reads, 0) + coalesce(kv_gets, 0) end as reads,
         case when coalesce(obj_updates, array_writes, kv_puts) is not null then coalesce(obj_updates, 0) + coalesce(array_writes, 0) + coalesce(kv_puts, 0) end as writes,
         null as seeks,
         case when coalesce(array_get_sizes, array_stats) is not null then coalesce(array_get_sizes, 0) + coalesce(array_stats, 0) end as stats,
         null as syncs,
         bytes_read,
         bytes_written,
         recorded_time(f_read_time) as read_s,
         recorded_time(f_write_time) as write_s,
         recorded_time(f_meta_time) as metadata_s,
         recorded_time(case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end) as slowest_s,
         case when rank < 0 then slowest_rank else rank end as slowest_rank,
         recorded_time(case when rank < 0 then f_fastest_rank_time else f_read_time + f_write_time + f_meta_time end) as fastest_s,
         case when rank < 0 then fastest_rank else rank end as fastest_rank,
         least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp, f_close_start_timestamp) as first_s,
         greatest(f_open_end_timestamp, f_read_end_timestamp, f_write_end_timestamp, f_close_end_timestamp) as last_s,
         null as max_offset,
         rw_switches
  from daos
  union all
  -- from the roles in schema/tables/hdf5_file.toml, by `cargo xtask generate`
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
         recorded_time(f_meta_time) as metadata_s,
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
  -- from the roles in schema/tables/pnetcdf_file.toml, by `cargo xtask generate`
  select log,
         file_id,
         rank,
         'pnetcdf_file' as layer,
         case when coalesce(creates, opens, indep_opens, coll_opens) is not null then coalesce(creates, 0) + coalesce(opens, 0) + coalesce(indep_opens, 0) + coalesce(coll_opens, 0) end as opens,
         null as reads,
         null as writes,
         null as seeks,
         null as stats,
         syncs,
         null as bytes_read,
         null as bytes_written,
         null as read_s,
         null as write_s,
         recorded_time(f_meta_time) as metadata_s,
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
       read_s,
       write_s,
       metadata_s,
       slowest_s,
       slowest_rank,
       fastest_s,
       fastest_rank,
       first_s,
       last_s,
       max_offset,
       rw_switches
from recorded
