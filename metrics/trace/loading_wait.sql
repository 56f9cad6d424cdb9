-- Who waits for the data of a training, and how much of the wait is loading.
--
-- Three kinds of evidence, the best one of each log. A process reads from a pipe what another
-- process loads. The consuming thread of `training` waits in named steps, waits in its reads of
-- pipes, or is not seen in samples of the processor while other processes load. Or the first
-- thread of a process is not seen while other threads load (`awaited_io`). A process loads
-- samples if it reads 50 files or more, or a packed file in 1,000 reads or more of less than
-- 256 KiB on average.
--
-- rows: one row per log and process that waits
-- needs: process, op_count, data_read, library_pause, awaited_io, training, data_loader, processor_work, file
-- requires: process
-- log               | i32 | log       | number of the log in this analysis
-- rank              | i32 | rank      | number of the waiting process as in the other tables
-- comes             | str | name      | where the data comes from, in words
-- files             | i64 | files     | files that are loaded | not known
-- loading_processes | i64 | processes | processes that load | threads load
-- waits             | i64 | 1         | how often it waits | not known
-- bytes             | i64 | bytes     | bytes that come through the pipe, or that threads read | not counted
-- wait_s            | f64 | s         | time in which it waits
-- loading_s         | f64 | s         | time in reading and unpacking of the process that loads longest
-- others_s          | f64 | s         | processor time of the waiting thread | not known
with files as (
  select c.log,
         c.rank,
         sum(case when c.op = 'read' then coalesce(c.bytes, 0) else 0 end) as bytes,
         sum(c.time_s)                                                     as time_s
  from op_count as c
  left join file
    on file.log = c.log
    and file.file_id = c.file_id
  where c.layer in ('posix', 'stdio')
    and coalesce(file.path, '') not like 'pipe:[%'
    and coalesce(file.path, '') not like 'socket:[%'
  group by c.log, c.rank
),
consumer as ( -- what a process recorded that is no file: pipes and sockets
  select p.log,
         p.rank,
         p.recorded_read_bytes - coalesce(f.bytes, 0) as bytes,
         p.recorded_s - coalesce(f.time_s, 0.0)       as wait_s,
         row_number() over (partition by p.log order by p.recorded_read_bytes - coalesce(f.bytes, 0) desc, p.rank) as place
  from process as p
  left join files as f
    on f.log = p.log
    and f.rank = p.rank
  where p.recorded_s is not null
),
unpacking as (
  select log,
         rank,
         sum(pause_s) as pause_s
  from library_pause
  where kind <> 'import'
  group by log, rank
),
worked as ( -- with samples, all that a loader does with what it reads
  select log,
         rank,
         sum(passed_s) as passed_s
  from processor_work
  where kind not in ('import', 'recorder')
  group by log, rank
),
loader as (
  select d.log,
         d.rank,
         d.files,
         d.time_s + coalesce(greatest(u.pause_s, w.passed_s), u.pause_s, w.passed_s, 0.0) as loading_s
  from data_read as d
  left join worked as w
    on w.log = d.log
    and w.rank = d.rank
  left join unpacking as u
    on u.log = d.log
    and u.rank = d.rank
  where d.files >= 50
    or (d.calls >= 1000 and ratio(d.bytes, d.calls) < 262144)
),
trained as ( -- what the consuming thread waits, not the sum over the workers
  select t.log,
         t.rank,
         t.loader_processes,
         t.steps,
         t.wait_s,
         sum(d.files)                                        as files,
         t.io_s - t.hidden_s + coalesce(max(u.pause_s), 0.0) as loading_s
  from training as t
  join data_loader as d
    on d.log = t.log
    and d.consumer = t.process
    and d.kind <> 'itself'
  left join unpacking as u
    on u.log = d.log
    and u.rank = d.rank
  where t.wait_s is not null
    and (t.wait_source = 'annotation'
      or t.loader_processes > 0)
  group by t.log, t.process, t.rank, t.loader_processes, t.steps, t.wait_s, t.io_s, t.hidden_s
)
select log,
       rank,
       case when loader_processes > 0
         then 'comes from other processes'
         else 'is read by other threads of the process'
       end              as comes,
       files,
       loader_processes as loading_processes,
       steps            as waits,
       null             as bytes,
       wait_s,
       loading_s,
       null             as others_s
from trained
union all
select c.log,
       c.rank,
       'comes from other processes through a pipe' as comes,
       sum(l.files)     as files,
       count(*)         as loading_processes,
       null             as waits,
       c.bytes,
       c.wait_s,
       max(l.loading_s) as loading_s,
       null             as others_s
from consumer as c
join loader as l
  on l.log = c.log
  and l.rank <> c.rank
left join trained as t
  on t.log = c.log
where c.place = 1
  and t.log is null
group by c.log, c.rank, c.bytes, c.wait_s
union all
select a.log,
       a.rank,
       'is read by another thread of the process' as comes,
       null     as files,
       null     as loading_processes,
       a.waits,
       a.bytes,
       a.lost_s as wait_s,
       a.lost_s as loading_s,
       a.others_s
from awaited_io as a
left join trained as t
  on t.log = a.log
where a.kind = 'thread'
  and t.log is null
