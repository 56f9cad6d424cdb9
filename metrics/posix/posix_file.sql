-- Each file as POSIX calls saw it, with the time of its slowest rank by kind
-- of call.
--
-- The slowest rank of a shared file has one time in the log; it is divided
-- among reading, writing and metadata as the sums over all ranks are. Files of
-- several records take, kind by kind, the rank that took most.
--
-- rows: one row per log and file with a POSIX record
-- needs: posix, job, file
-- log                | i32  | log     | number of the log in this analysis
-- file_id            | u64  | file_id | joins with `file`
-- path               | str  | path    | name as recorded | the log holds no name
-- mount              | str  | path    | mount point | no mount point holds it
-- fs_type            | str  | name    | type of the file system | no mount point holds it
-- is_shared          | bool | flag    | more than one rank used it
-- ranks              | i64  | ranks   | ranks with a record of it | all, and their number is not recorded
-- owner_rank         | i32  | rank    | the rank that used it; -1: several
-- opens              | i64  | calls   | opens | not recorded
-- stats              | i64  | calls   | stat calls | not recorded
-- mmaps              | i64  | calls   | mappings into memory | not recorded
-- syncs              | i64  | calls   | fsync and fdatasync calls | not recorded
-- reads              | i64  | calls   | reads | not recorded
-- writes             | i64  | calls   | writes | not recorded
-- read_bytes         | i64  | bytes   | bytes read | not recorded
-- written_bytes      | i64  | bytes   | bytes written | not recorded
-- read_extent_bytes  | i64  | bytes   | highest offset read + 1 | not recorded
-- write_extent_bytes | i64  | bytes   | highest offset written + 1 | not recorded
-- read_s             | f64  | s       | time in reads of the slowest rank | not recorded
-- write_s            | f64  | s       | time in writes of the slowest rank | not recorded
-- metadata_s         | f64  | s       | time in opens, closes, stats, seeks and syncs of the slowest rank | not recorded
-- slowest_s          | f64  | s       | time in all of these of the slowest rank | not recorded
-- summed_read_s      | f64  | s       | time in reads, summed over ranks | not recorded
-- summed_write_s     | f64  | s       | time in writes, summed over ranks | not recorded
-- first_s            | f64  | s       | start of the first call, since the start of the job | not recorded
-- last_s             | f64  | s       | end of the last call, since the start of the job | not recorded
select p.log,
       p.file_id,
       file.path,
       file.mount,
       file.fs_type,
       p.lowest_rank < 0 and coalesce(job.nprocs, 2) > 1 or p.records > 1 as is_shared,
       case when p.lowest_rank < 0 then job.nprocs else p.records end     as ranks,
       case when p.records = 1 then p.lowest_rank else -1 end              as owner_rank,
       p.opens,
       p.stats,
       p.mmaps,
       p.syncs,
       p.reads,
       p.writes,
       p.read_bytes,
       p.written_bytes,
       p.read_extent_bytes,
       p.write_extent_bytes,
       p.read_s,
       p.write_s,
       p.metadata_s,
       p.slowest_s,
       p.summed_read_s,
       p.summed_write_s,
       p.first_s,
       p.last_s
from (
  select posix.log,
         file_id,
         min(rank)                             as lowest_rank,
         count(*)                              as records,
         -- Darshan counts fileno and dup among opens: they open nothing
         sum(greatest(opens - case when job.format = 'darshan'
                                   then coalesce(filenos, 0) + coalesce(dups, 0)
                                   else 0 end, 0)) as opens,
         sum(stats)                            as stats,
         sum(mmaps)                            as mmaps,
         sum(fsyncs) + sum(coalesce(fdsyncs, 0)) as syncs,
         sum(reads)                            as reads,
         sum(writes)                           as writes,
         sum(bytes_read)                       as read_bytes,
         sum(bytes_written)                    as written_bytes,
         max(max_byte_read) + 1                as read_extent_bytes,
         max(max_byte_written) + 1             as write_extent_bytes,
         max(rank_time(rank, f_read_time, f_read_time + f_write_time + f_meta_time, f_slowest_rank_time)) as read_s,
         max(rank_time(rank, f_write_time, f_read_time + f_write_time + f_meta_time, f_slowest_rank_time)) as write_s,
         max(rank_time(rank, f_meta_time, f_read_time + f_write_time + f_meta_time, f_slowest_rank_time)) as metadata_s,
         max(recorded_time(case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end)) as slowest_s,
         sum(recorded_time(f_read_time)) as summed_read_s,
         sum(recorded_time(f_write_time)) as summed_write_s,
         min(least(f_open_start_timestamp, f_read_start_timestamp, f_write_start_timestamp)) as first_s,
         max(greatest(f_close_end_timestamp, f_read_end_timestamp, f_write_end_timestamp))   as last_s
  from posix
  join job
    on job.log = posix.log
  group by posix.log, file_id
) as p
join job
  on job.log = p.log
left join file
  on file.log = p.log
  and file.file_id = p.file_id
