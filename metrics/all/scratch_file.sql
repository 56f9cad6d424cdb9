-- Files that a run writes, reads and removes again: data handed on through the file
-- system.
--
-- Files in memory (tmpfs, ramfs) are left out. A file that is written and removed but
-- never read, such as a checkpoint that a later one replaces, is none of these.
-- Counters (Darshan) do not hold removals. There a file counts that one process writes,
-- and then reads up to the last byte it wrote: files that it opens once, and files that
-- it opens twice where hardly two of them are in use at a time (each is read before the
-- next one is written).
--
-- rows: one row per log and rank that made calls on such a file
-- needs: file
-- also: op_count, posix
-- log           | i32 | log   | number of the log in this analysis
-- rank          | i32 | rank  | rank
-- files         | i64 | files | files of that kind that it used
-- written_bytes | i64 | bytes | bytes that it wrote to them
-- metadata_s    | f64 | s     | time in its calls on them, without reads and writes
-- time_s        | f64 | s     | time in all of its calls on them
-- is_removed    | bool | flag | their removal was recorded
with used as (
  select c.log,
         c.file_id,
         c.rank,
         max(case when c.op = 'unlink' and c.calls > c.failed then 1 else 0 end) as is_removed,
         sum(case when c.op = 'write' then coalesce(c.bytes, 0) else 0 end)      as written_bytes,
         sum(case when c.op in ('read', 'map') then c.calls else 0 end)          as reads,
         sum(case when c.op in ('read', 'write') then 0.0 else c.time_s end)     as metadata_s,
         sum(c.time_s)                                                           as time_s
  from op_count as c
  left join file
    on file.log = c.log
    and file.file_id = c.file_id
  where c.layer in ('posix', 'stdio')
    and coalesce(file.fs_type, '') not in ('tmpfs', 'ramfs')
  group by c.log, c.file_id, c.rank
),
scratch as (
  select log,
         file_id
  from used
  group by log, file_id
  having max(is_removed) = 1
    and sum(written_bytes) > 0
    and sum(reads) > 0
),
traced as (
  select log
  from op_count
  group by log
),
read_back as ( -- files of Darshan logs
  select p.log,
         p.rank,
         p.opens - coalesce(p.filenos, 0) - coalesce(p.dups, 0) as opens,
         p.bytes_written,
         p.f_open_start_timestamp as start_s,
         p.f_close_end_timestamp  as end_s,
         p.f_meta_time            as metadata_s,
         p.f_meta_time + p.f_read_time + p.f_write_time as time_s
  from posix as p
  left join file
    on file.log = p.log
    and file.file_id = p.file_id
  left join traced
    on traced.log = p.log
  where traced.log is null
    and coalesce(file.fs_type, '') not in ('tmpfs', 'ramfs')
    and p.rank >= 0
    and p.bytes_written > 0
    and p.bytes_read >= p.bytes_written
    and p.max_byte_read <= p.max_byte_written
    and p.f_write_start_timestamp < p.f_read_start_timestamp
),
in_turn as ( -- of each process: mean number of its files that are in use at a time
  select log,
         rank,
         ratio(sum(end_s - start_s), max(end_s) - min(start_s)) as at_once
  from read_back
  where opens = 2
  group by log, rank
)
select used.log,
       used.rank,
       count(*)                as files,
       sum(used.written_bytes) as written_bytes,
       sum(used.metadata_s)    as metadata_s,
       sum(used.time_s)        as time_s,
       true                    as is_removed
from used
join scratch
  on scratch.log = used.log
  and scratch.file_id = used.file_id
group by used.log, used.rank
union all
select r.log,
       r.rank,
       count(*)             as files,
       sum(r.bytes_written) as written_bytes,
       sum(r.metadata_s)    as metadata_s,
       sum(r.time_s)        as time_s,
       false                as is_removed
from read_back as r
left join in_turn as t
  on t.log = r.log
  and t.rank = r.rank
where r.opens = 1
  or r.opens = 2
  and t.at_once < 2.0
group by r.log, r.rank
