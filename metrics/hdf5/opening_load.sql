-- What opening and closing an HDF5 file and its datasets takes, beside what moving the data takes.
--
-- Time is that of HDF5 calls: the library's own work and the calls below. A recording of
-- `diya run` has the time of each call. Darshan has one time for opens, closes and flushes of a
-- file: it is divided by the number of these calls.
--
-- rows: one row per log and HDF5 file that was opened
-- needs: hdf5_file, hdf5_dataset, job
-- also: op_count
-- log        | i32 | log     | number of the log in this analysis
-- file_id    | u64 | file_id | joins with `file`
-- opens      | i64 | calls   | opens of all ranks
-- ranks      | i64 | ranks   | ranks that opened it
-- accesses   | i64 | calls   | reads and writes of its datasets
-- bytes      | i64 | bytes   | bytes that these ask for
-- file_s     | f64 | s       | time in opens and closes of the file, of the slowest rank | not recorded
-- dataset_s  | f64 | s       | time in opens and closes of its datasets, of the slowest rank | not recorded
-- transfer_s | f64 | s       | time in reads and writes of its datasets, of the slowest rank | not recorded
with timed as (
  select log,
         file_id,
         max(time_s) as file_s
  from (
    select log,
           file_id,
           rank,
           sum(time_s) as time_s
    from op_count
    where layer = 'hdf5_file'
      and op in ('open', 'create', 'close')
    group by log, file_id, rank
  ) as ranks
  group by log, file_id
),
files as (
  select f.log,
         f.file_id,
         sum(f.opens)           as opens,
         -- the ranks of a shared record open the file once each, at least
         max(case when f.rank < 0 then least(coalesce(job.nprocs, 1), f.opens) else 0 end)
           + sum(case when f.rank < 0 then 0 else 1 end) as ranks,
         max(ratio(recorded_time(f.f_meta_time), case when f.rank < 0 then greatest(least(coalesce(job.nprocs, 1), f.opens), 1) else 1 end)
           * ratio(2 * f.opens, 2 * f.opens + coalesce(f.flushes, 0))) as file_s
  from hdf5_file as f
  join job
    on job.log = f.log
  group by f.log, f.file_id
),
sides as (
  select d.log,
         d.file_rec_id           as file_id,
         d.rank,
         sum(d.reads + d.writes) as accesses,
         sum(d.bytes_read + d.bytes_written) as bytes,
         sum(ratio(recorded_time(d.f_meta_time), case when d.rank < 0 then greatest(coalesce(job.nprocs, 1), 1) else 1 end)) as dataset_s,
         sum(ratio(recorded_time(d.f_read_time + d.f_write_time), case when d.rank < 0 then greatest(coalesce(job.nprocs, 1), 1) else 1 end)) as transfer_s
  from hdf5_dataset as d
  join job
    on job.log = d.log
  where d.file_rec_id is not null
  group by d.log, d.file_rec_id, d.rank
),
datasets as (
  select log,
         file_id,
         sum(accesses)   as accesses,
         sum(bytes)      as bytes,
         max(dataset_s)  as dataset_s,
         max(transfer_s) as transfer_s
  from sides
  group by log, file_id
)
select f.log,
       f.file_id,
       f.opens,
       greatest(f.ranks, 1)        as ranks,
       coalesce(d.accesses, 0)     as accesses,
       coalesce(d.bytes, 0)        as bytes,
       coalesce(t.file_s, f.file_s) as file_s,
       d.dataset_s,
       d.transfer_s
from files as f
left join timed as t
  on t.log = f.log
  and t.file_id = f.file_id
left join datasets as d
  on d.log = f.log
  and d.file_id = f.file_id
where f.opens > 0
