-- Each file that POSIX calls or C streams opened: what that took the slowest rank.
--
-- The C library opens the file of a stream by itself, so that the POSIX records hold
-- nothing of it. Where a file was used in both ways, both are added up. The standard
-- streams are no files.
--
-- rows: one row per log and file with a POSIX record, or a record of streams
-- needs: posix_file, stdio, job, file
-- also: op_count
-- log                | i32  | log     | number of the log in this analysis
-- file_id            | u64  | file_id | joins with `file`
-- path               | str  | path    | name as recorded | the log holds no name
-- is_shared          | bool | flag    | more than one rank used it
-- ranks              | i64  | ranks   | ranks with a record of it | all, and their number is not recorded
-- owner_rank         | i32  | rank    | the rank that used it; -1: several
-- opens              | i64  | calls   | opens, without fileno and dup | not recorded
-- stats              | i64  | calls   | stat calls | not recorded
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
with reused as ( -- a stream of an open descriptor opens no file
  select log,
         file_id,
         sum(calls) as calls
  from op_count
  where layer = 'stdio'
    and function = 'fdopen'
  group by log, file_id
),
streams as (
  select log,
         file_id,
         min(rank)                                     as lowest_rank,
         count(*)                                      as records,
         sum(opens)                                    as opens,
         sum(reads)                                    as reads,
         sum(writes)                                   as writes,
         sum(bytes_read)                               as read_bytes,
         sum(bytes_written)                            as written_bytes,
         max(max_byte_read) + 1                        as read_extent_bytes,
         max(max_byte_written) + 1                     as write_extent_bytes,
         max(rank_time(rank, f_read_time, f_read_time + f_write_time + f_meta_time, f_slowest_rank_time)) as read_s,
         max(rank_time(rank, f_write_time, f_read_time + f_write_time + f_meta_time, f_slowest_rank_time)) as write_s,
         max(rank_time(rank, f_meta_time, f_read_time + f_write_time + f_meta_time, f_slowest_rank_time)) as metadata_s,
         max(recorded_time(case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end)) as slowest_s
  from stdio
  group by log, file_id
),
opened as (
  select log,
         file_id,
         path,
         is_shared,
         ranks,
         owner_rank,
         opens,
         stats,
         syncs,
         reads,
         writes,
         read_bytes,
         written_bytes,
         read_extent_bytes,
         write_extent_bytes,
         read_s,
         write_s,
         metadata_s,
         slowest_s
  from posix_file
  union all
  select s.log,
         s.file_id,
         file.path,
         s.lowest_rank < 0 and coalesce(job.nprocs, 2) > 1 or s.records > 1 as is_shared,
         case when s.lowest_rank < 0 then job.nprocs else s.records end     as ranks,
         case when s.records = 1 then s.lowest_rank else -1 end             as owner_rank,
         greatest(s.opens - coalesce(reused.calls, 0), 0) as opens,
         null as stats,
         null as syncs,
         s.reads,
         s.writes,
         s.read_bytes,
         s.written_bytes,
         s.read_extent_bytes,
         s.write_extent_bytes,
         s.read_s,
         s.write_s,
         s.metadata_s,
         s.slowest_s
  from streams as s
  join job
    on job.log = s.log
  left join reused
    on reused.log = s.log
    and reused.file_id = s.file_id
  left join file
    on file.log = s.log
    and file.file_id = s.file_id
  where coalesce(file.path, '') not in ('<STDIN>', '<STDOUT>', '<STDERR>')
)
select log,
       file_id,
       max(path)               as path,
       bool_or(is_shared)      as is_shared,
       max(ranks)              as ranks,
       case when min(owner_rank) = max(owner_rank) then min(owner_rank) else -1 end as owner_rank,
       sum(opens)              as opens,
       sum(stats)              as stats,
       sum(syncs)              as syncs,
       sum(reads)              as reads,
       sum(writes)             as writes,
       sum(read_bytes)         as read_bytes,
       sum(written_bytes)      as written_bytes,
       max(read_extent_bytes)  as read_extent_bytes,
       max(write_extent_bytes) as write_extent_bytes,
       sum(read_s)             as read_s,
       sum(write_s)            as write_s,
       sum(metadata_s)         as metadata_s,
       sum(slowest_s)          as slowest_s
from opened
group by log, file_id
