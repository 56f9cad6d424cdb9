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
  $recorded
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
