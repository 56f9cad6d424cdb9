-- MPI-IO requests of each file and the POSIX requests they became, with the
-- time of the slowest rank in both layers.
--
-- `layer_transformation` has the same with times summed over ranks. Of a file
-- of all ranks the log has one time for the slowest rank; it is divided among
-- reading, writing and metadata as the sums over all ranks are.
--
-- rows: one row per log, file and direction that MPI-IO used
-- needs: mpiio, posix_file, job
-- log               | i32  | log     | number of the log in this analysis
-- file_id           | u64  | file_id | joins with `file`
-- op                | str  | name    | read or write
-- is_shared         | bool | flag    | more than one rank used the file
-- ranks             | i64  | ranks   | ranks that opened it | all, and their number is not recorded
-- independent_calls | i64  | calls   | independent requests | not recorded
-- collective_calls  | i64  | calls   | collective requests, split ones included; one per rank | not recorded
-- nonblocking_calls | i64  | calls   | non-blocking requests | not recorded
-- syncs             | i64  | calls   | MPI_File_sync calls | not recorded
-- bytes             | i64  | bytes   | bytes asked of MPI-IO | not recorded
-- mean_bytes        | f64  | bytes   | bytes per request | not recorded, or no request
-- mpiio_s           | f64  | s       | time of the slowest rank in these requests | not recorded
-- metadata_s        | f64  | s       | time of the slowest rank in opens, closes and syncs | not recorded
-- posix_calls       | i64  | calls   | POSIX requests of the same direction | no POSIX record
-- posix_bytes       | i64  | bytes   | bytes of these | no POSIX record
-- posix_mean_bytes  | f64  | bytes   | bytes per POSIX request | no POSIX request
-- posix_s           | f64  | s       | time of the slowest rank in these | not recorded
with upper as (
  select log,
         file_id,
         min(rank)                       as lowest_rank,
         count(*)                        as records,
         sum(indep_reads)                as independent_reads,
         sum(indep_writes)               as independent_writes,
         sum(coll_reads + split_reads)   as collective_reads,
         sum(coll_writes + split_writes) as collective_writes,
         sum(nb_reads)                   as nonblocking_reads,
         sum(nb_writes)                  as nonblocking_writes,
         sum(syncs)                      as syncs,
         sum(bytes_read)                 as read_bytes,
         sum(bytes_written)              as written_bytes,
         max(rank_time(rank, f_read_time, f_read_time + f_write_time + f_meta_time, f_slowest_rank_time)) as read_s,
         max(rank_time(rank, f_write_time, f_read_time + f_write_time + f_meta_time, f_slowest_rank_time)) as write_s,
         max(rank_time(rank, f_meta_time, f_read_time + f_write_time + f_meta_time, f_slowest_rank_time)) as metadata_s
  from mpiio
  group by log, file_id
),
directed as (
  select log,
         file_id,
         lowest_rank,
         records,
         'read'            as op,
         independent_reads as independent_calls,
         collective_reads  as collective_calls,
         nonblocking_reads as nonblocking_calls,
         syncs,
         read_bytes        as bytes,
         read_s            as mpiio_s,
         metadata_s
  from upper
  union all
  select log,
         file_id,
         lowest_rank,
         records,
         'write'            as op,
         independent_writes as independent_calls,
         collective_writes  as collective_calls,
         nonblocking_writes as nonblocking_calls,
         syncs,
         written_bytes      as bytes,
         write_s            as mpiio_s,
         metadata_s
  from upper
)
select d.log,
       d.file_id,
       d.op,
       d.lowest_rank < 0 and coalesce(job.nprocs, 2) > 1 or d.records > 1 as is_shared,
       case when d.lowest_rank < 0 then job.nprocs else d.records end     as ranks,
       d.independent_calls,
       d.collective_calls,
       d.nonblocking_calls,
       d.syncs,
       d.bytes,
       ratio(d.bytes, d.independent_calls + d.collective_calls + d.nonblocking_calls) as mean_bytes,
       d.mpiio_s,
       d.metadata_s,
       case when d.op = 'read' then p.reads else p.writes end                 as posix_calls,
       case when d.op = 'read' then p.read_bytes else p.written_bytes end     as posix_bytes,
       case when d.op = 'read' then ratio(p.read_bytes, p.reads)
            else ratio(p.written_bytes, p.writes) end                         as posix_mean_bytes,
       case when d.op = 'read' then p.read_s else p.write_s end               as posix_s
from directed as d
join job
  on job.log = d.log
left join posix_file as p
  on p.log = d.log
  and p.file_id = d.file_id
where d.independent_calls + d.collective_calls + d.nonblocking_calls > 0
