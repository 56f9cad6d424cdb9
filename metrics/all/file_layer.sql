-- Each file as each layer saw it: who shared it, what it took.
--
-- Ranks are those with a record of the file. Darshan joins the records of a
-- file that all ranks opened, so `all` is certain; `some` and `unique` hold as
-- long as no record was lost.
--
-- rows: one row per log, file and layer
-- needs: file_use, job
-- also: call
-- log                   | i32 | log     | number of the log in this analysis
-- file_id               | u64 | file_id | joins with `file`
-- layer                 | str | name    | as in `file_use`; netcdf: from its calls
-- sharing               | str | name    | unique (one rank), some or all (of the ranks)
-- ranks                 | i64 | ranks   | ranks that used it | all of them, and their number is not recorded
-- opens                 | i64 | calls   | opens | not recorded
-- reads                 | i64 | calls   | reads | not recorded
-- writes                | i64 | calls   | writes | not recorded
-- bytes_read            | i64 | bytes   | bytes read | not recorded
-- bytes_written         | i64 | bytes   | bytes written | not recorded
-- size_bytes            | i64 | bytes   | highest offset seen + 1: a lower bound of the size of the file | not recorded, or no byte was moved
-- read_s                | f64 | s       | time in reads, summed over ranks | not recorded
-- write_s               | f64 | s       | time in writes, summed over ranks | not recorded
-- metadata_s            | f64 | s       | time in metadata calls, summed over ranks | not recorded
-- time_s                | f64 | s       | time in all of these | not recorded
-- metadata_ratio        | f64 | 1       | metadata_s over time_s | not recorded, or no time
-- slowest_s             | f64 | s       | time of the rank that was slowest on this file | not recorded
-- first_s               | f64 | s       | start of the first call, since the start of the job | not recorded
-- last_s                | f64 | s       | end of the last call, since the start of the job | not recorded
-- bandwidth_bytes_per_s | f64 | bytes/s | bytes over slowest_s | not recorded, or no time
with used as (
  select log,
         file_id,
         layer,
         rank,
         opens,
         reads,
         writes,
         bytes_read,
         bytes_written,
         max_offset,
         read_s,
         write_s,
         metadata_s,
         coalesce(read_s, 0) + coalesce(write_s, 0) + metadata_s as time_s,
         slowest_s,
         first_s,
         last_s
  from file_use
  union all
  -- No log has counters of NetCDF: its calls are counted.
  select log,
         file_id,
         layer,
         rank,
         sum(case when op in ('open', 'create') then calls else 0 end)    as opens,
         sum(case when op = 'read' then calls else 0 end)                 as reads,
         sum(case when op = 'write' then calls else 0 end)                as writes,
         sum(case when op = 'read' then size_bytes else 0 end)            as bytes_read,
         sum(case when op = 'write' then size_bytes else 0 end)           as bytes_written,
         cast(null as bigint)                                             as max_offset,
         sum(case when op = 'read' then busy_s else 0.0 end)              as read_s,
         sum(case when op = 'write' then busy_s else 0.0 end)             as write_s,
         sum(case when op in ('read', 'write') then 0.0 else busy_s end)  as metadata_s,
         sum(busy_s)                                                      as time_s,
         sum(busy_s)                                                      as slowest_s,
         min(start_s)                                                     as first_s,
         max(end_s)                                                       as last_s
  from call
  where layer = 'netcdf'
  group by log, file_id, rank, layer
),
of_file as (
  select log,
         file_id,
         layer,
         min(rank)          as lowest_rank,
         count(*)           as records,
         sum(opens)         as opens,
         sum(reads)         as reads,
         sum(writes)        as writes,
         sum(bytes_read)    as bytes_read,
         sum(bytes_written) as bytes_written,
         max(max_offset)    as max_offset,
         sum(read_s)        as read_s,
         sum(write_s)       as write_s,
         sum(metadata_s)    as metadata_s,
         sum(time_s)        as time_s,
         max(slowest_s)     as slowest_s,
         min(first_s)       as first_s,
         max(last_s)        as last_s
  from used
  group by log, file_id, layer
)
select f.log,
       f.file_id,
       f.layer,
       case
         when f.lowest_rank < 0 and coalesce(job.nprocs, 2) > 1 then 'all'
         when f.records > 1 then 'some'
         else 'unique'
       end                                             as sharing,
       case when f.lowest_rank < 0 then job.nprocs else f.records end as ranks,
       f.opens,
       f.reads,
       f.writes,
       f.bytes_read,
       f.bytes_written,
       -- without a byte moved there is no highest offset: the counter is 0
       case when f.bytes_read = 0 and f.bytes_written = 0 then null else f.max_offset + 1 end as size_bytes,
       f.read_s,
       f.write_s,
       f.metadata_s,
       f.time_s,
       ratio(f.metadata_s, f.time_s)                   as metadata_ratio,
       f.slowest_s,
       f.first_s,
       f.last_s,
       ratio(f.bytes_read + f.bytes_written, f.slowest_s) as bandwidth_bytes_per_s
from of_file as f
join job
  on job.log = f.log
