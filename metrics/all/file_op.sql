-- Calls, bytes and time of each file, per rank, layer and kind of call.
--
-- Metadata (open, close, stat, seek, sync) is one kind, since the counters
-- hold one time for all of it; `file_metadata` has the calls one by one.
--
-- rows: one row per log, file, rank, layer and kind of call that was made
-- needs: file_use
-- log     | i32 | log     | number of the log in this analysis
-- file_id | u64 | file_id | joins with `file`
-- rank    | i32 | rank    | rank; -1: one record for all ranks of the job
-- layer   | str | name    | as in `file_use`
-- op      | str | name    | read, write or metadata
-- calls   | i64 | calls   | calls
-- bytes   | i64 | bytes   | bytes moved | metadata moves none
-- time_s  | f64 | s       | time in the calls, summed over ranks | the layer does not record it
select log,
       file_id,
       rank,
       layer,
       'read'     as op,
       reads      as calls,
       bytes_read as bytes,
       read_s     as time_s
from file_use
where reads > 0
union all
select log,
       file_id,
       rank,
       layer,
       'write'       as op,
       writes        as calls,
       bytes_written as bytes,
       write_s       as time_s
from file_use
where writes > 0
union all
select log,
       file_id,
       rank,
       layer,
       'metadata' as op,
       coalesce(opens, 0) + coalesce(seeks, 0) + coalesce(stats, 0) + coalesce(syncs, 0) as calls,
       null       as bytes,
       metadata_s as time_s
from file_use
where coalesce(opens, 0) + coalesce(seeks, 0) + coalesce(stats, 0) + coalesce(syncs, 0) > 0
