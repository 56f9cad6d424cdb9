-- Metadata habits of each file: opens, seeks, syncs and switches against the
-- transfers they serve.
--
-- rows: one row per log, file and layer of posix, mpiio, stdio, dfs or daos
-- needs: file_use, job
-- log                 | i32 | log      | number of the log in this analysis
-- file_id             | u64 | file_id  | joins with `file`
-- layer               | str | name     | as in `file_use`
-- ranks               | i64 | ranks    | ranks that used the file | all, and their number is not recorded
-- opens               | i64 | calls    | opens | not recorded
-- opens_per_rank      | f64 | 1        | opens over ranks | not recorded
-- stats               | i64 | calls    | stat calls | not recorded
-- seeks               | i64 | calls    | seeks | not recorded
-- seeks_per_transfer  | f64 | 1        | seeks over reads and writes | not recorded, or no transfer
-- syncs               | i64 | calls    | syncs; flushes in stdio | not recorded
-- syncs_per_write     | f64 | 1        | syncs over writes | not recorded, or no write
-- rw_switches         | i64 | switches | changes between reading and writing | not recorded
-- switches_per_transfer | f64 | 1      | rw_switches over reads and writes | not recorded, or no transfer
-- transfers           | i64 | calls    | reads and writes | not recorded
-- metadata_s          | f64 | s        | time in metadata calls, summed over ranks | not recorded
-- metadata_ratio      | f64 | 1        | share of the time in this file | not recorded, or no time
select f.log,
       f.file_id,
       f.layer,
       case when f.lowest_rank < 0 then job.nprocs else f.records end as ranks,
       f.opens,
       ratio(f.opens, case when f.lowest_rank < 0 then job.nprocs else f.records end) as opens_per_rank,
       f.stats,
       f.seeks,
       ratio(f.seeks, f.transfers)       as seeks_per_transfer,
       f.syncs,
       ratio(f.syncs, f.writes)          as syncs_per_write,
       f.rw_switches,
       ratio(f.rw_switches, f.transfers) as switches_per_transfer,
       f.transfers,
       f.metadata_s,
       ratio(f.metadata_s, f.time_s)     as metadata_ratio
from (
  select log,
         file_id,
         layer,
         min(rank)           as lowest_rank,
         count(*)            as records,
         sum(opens)          as opens,
         sum(stats)          as stats,
         sum(seeks)          as seeks,
         sum(syncs)          as syncs,
         sum(rw_switches)    as rw_switches,
         sum(writes)         as writes,
         sum(reads + writes) as transfers,
         sum(metadata_s)     as metadata_s,
         sum(read_s + write_s + metadata_s) as time_s
  from file_use
  where layer in ('posix', 'mpiio', 'stdio', 'dfs', 'daos')
  group by log, file_id, layer
) as f
join job
  on job.log = f.log
