-- Files that a run writes, reads and removes again: data handed on through the file
-- system.
--
-- A hundred files or more that are all made before the first of them are removed hand nothing on
-- one by one: they are the data of a run that cleans up (mdtest), and none of these.
-- Files in memory (tmpfs, ramfs) are left out. A file that is written and removed but
-- never read, such as a checkpoint that a later one replaces, is none of these, nor is the journal
-- of a database (SQLite), which is made and removed with each transaction.
-- Counters (Darshan) do not hold removals. There a file counts that one process writes,
-- and then reads up to the last byte it wrote: files that it opens once, and files that
-- it opens two to four times where less than five of them are in use at a time, on average
-- (they are read before the next ones are written). A file that is opened more often, and written
-- and read as a whole each time, counts as one file for each open.
--
-- rows: one row per log and rank that made calls on such a file
-- needs: file
-- also: op_count, posix, stdio, file_pause
-- log           | i32 | log   | number of the log in this analysis
-- rank          | i32 | rank  | rank
-- files         | i64 | files | files of that kind that it used; one that is made anew after its removal is another one
-- written_bytes | i64 | bytes | bytes that it wrote to them
-- metadata_s    | f64 | s     | time in its calls on them, without reads and writes
-- time_s        | f64 | s     | time in all of its calls on them
-- library_s     | f64 | s     | what packages of Python do with them between its calls (`file_pause`)
-- is_removed    | bool | flag | their removal was recorded
-- example_id    | u64 | file_id | one of the files; joins with `file`
with used as (
  select c.log,
         c.file_id,
         c.rank,
         sum(case when c.op = 'unlink' then greatest(c.calls - coalesce(c.failed, 0), 0) else 0 end) as removals,
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
    and coalesce(file.path, '') not like '%-journal'
  group by c.log, c.file_id, c.rank
),
scratch as (
  select log,
         file_id
  from used
  group by log, file_id
  having max(removals) > 0
    and sum(written_bytes) > 0
    and sum(reads) > 0
),
life as ( -- of each such file
  select c.log,
         c.file_id,
         min(case when c.op <> 'unlink' then c.first_s end) as made_s,
         max(case when c.op = 'unlink' then c.last_s end)   as gone_s
  from op_count as c
  join scratch as s
    on s.log = c.log
    and s.file_id = c.file_id
  group by c.log, c.file_id
),
last_made as (
  select log,
         max(made_s) as made_s
  from life
  group by log
),
in_phases as (
  select l.log
  from life as l
  join last_made as m
    on m.log = l.log
  group by l.log
  having count(*) >= 100
    and ratio(sum(case when l.gone_s < m.made_s then 1 else 0 end), count(*)) < 0.1
),
handled as (
  select log,
         file_id,
         rank,
         sum(pause_s) as library_s
  from file_pause
  group by log, file_id, rank
),
traced as (
  select log
  from op_count
  group by log
),
opened as ( -- files of Darshan logs: those of streams have the bytes in a record of their own
  select log,
         file_id,
         rank,
         opens - coalesce(filenos, 0) - coalesce(dups, 0) as opens,
         bytes_written,
         bytes_read,
         max_byte_written,
         max_byte_read,
         f_open_start_timestamp  as start_s,
         f_close_end_timestamp   as end_s,
         f_write_start_timestamp as write_s,
         f_read_start_timestamp  as read_s,
         recorded_time(f_meta_time) as metadata_s,
         recorded_time(f_meta_time + f_read_time + f_write_time) as time_s
  from posix
  where rank >= 0
  union all
  select log,
         file_id,
         rank,
         opens,
         bytes_written,
         bytes_read,
         max_byte_written,
         max_byte_read,
         f_open_start_timestamp  as start_s,
         f_close_end_timestamp   as end_s,
         f_write_start_timestamp as write_s,
         f_read_start_timestamp  as read_s,
         recorded_time(f_meta_time) as metadata_s,
         recorded_time(f_meta_time + f_read_time + f_write_time) as time_s
  from stdio
  where rank >= 0
),
read_back as (
  select o.log,
         o.rank,
         o.file_id,
         sum(o.opens)         as opens,
         sum(o.bytes_written) as bytes_written,
         max(o.max_byte_written) + 1 as extent_bytes,
         min(o.start_s)       as start_s,
         max(o.end_s)         as end_s,
         sum(o.metadata_s)    as metadata_s,
         sum(o.time_s)        as time_s
  from opened as o
  left join file
    on file.log = o.log
    and file.file_id = o.file_id
  left join traced
    on traced.log = o.log
  where traced.log is null
    and coalesce(file.fs_type, '') not in ('tmpfs', 'ramfs')
    and coalesce(file.path, '') not in ('<STDIN>', '<STDOUT>', '<STDERR>')
    and coalesce(file.path, '') not like '%-journal'
  group by o.log, o.rank, o.file_id
  having sum(o.bytes_written) > 0
    and sum(o.bytes_read) >= sum(o.bytes_written)
    and max(o.max_byte_read) <= max(o.max_byte_written)
    and min(o.write_s) < min(o.read_s)
),
in_turn as ( -- of each process: mean number of its files that are in use at a time
  select log,
         rank,
         ratio(sum(end_s - start_s), max(end_s) - min(start_s)) as at_once
  from read_back
  where opens between 2 and 4
  group by log, rank
)
select used.log,
       used.rank,
       sum(greatest(used.removals, 1))      as files,
       sum(used.written_bytes)              as written_bytes,
       sum(used.metadata_s)                 as metadata_s,
       sum(used.time_s)                     as time_s,
       sum(coalesce(handled.library_s, 0.0)) as library_s,
       true                                 as is_removed,
       min(used.file_id)                    as example_id
from used
join scratch
  on scratch.log = used.log
  and scratch.file_id = used.file_id
left join handled
  on handled.log = used.log
  and handled.file_id = used.file_id
  and handled.rank = used.rank
left join in_phases as p
  on p.log = used.log
where p.log is null
group by used.log, used.rank
union all
select r.log,
       r.rank,
       sum(case when r.opens > 4 then r.opens else 1 end) as files,
       sum(r.bytes_written) as written_bytes,
       sum(r.metadata_s)    as metadata_s,
       sum(r.time_s)        as time_s,
       0.0                  as library_s,
       false                as is_removed,
       min(r.file_id)       as example_id
from read_back as r
left join in_turn as t
  on t.log = r.log
  and t.rank = r.rank
where r.opens = 1
  or (r.opens between 2 and 4
    and t.at_once < 5.0)
  or (r.opens > 4
    and r.bytes_written >= 0.9 * r.opens * r.extent_bytes) -- each time as a whole
group by r.log, r.rank
