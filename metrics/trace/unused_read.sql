-- Bytes that a process reads, beside those that its code can have looked at.
--
-- Compiled code looks at 20 GB/s at most, which is faster than memory; an interpreter at 1 GB/s.
-- Of a file that is read several times, its bytes count once. Processes that pass on what they
-- read are left out: those that write half as much, ranks of a parallel job, those that start
-- others, and installed programs. Needs samples of the processor.
--
-- rows: one row per log and process that reads data and was sampled
-- needs: job
-- also: process, data_read, posix_file, processor_work, installed_program, file_rank
-- log        | i32 | log   | number of the log in this analysis
-- rank       | i32 | rank  | the process, as in the other tables
-- files      | i64 | files | files that it reads
-- read_bytes | i64 | bytes | bytes of these that it reads
-- read_s     | f64 | s     | time in its reads
-- work_s     | f64 | s     | processor time of its code
-- seen_bytes | f64 | bytes | bytes that its code can have looked at, at most
with own as (
  select r.log,
         r.rank,
         sum(least(r.bytes, coalesce(f.read_extent_bytes, r.bytes))) as read_bytes
  from file_rank as r
  join posix_file as f
    on f.log = r.log
    and f.file_id = r.file_id
  where r.layer = 'posix'
    and r.op = 'read'
    and not coalesce(f.is_shared, false)
  group by r.log, r.rank
),
worked as (
  select log,
         rank,
         sum(time_s)                                               as work_s,
         sum(time_s * case when kind = 'python' then 1e9 else 2e10 end) as seen_bytes
  from processor_work
  where kind not in ('import', 'recorder')
  group by log, rank
),
parents as (
  select parent.log,
         parent.rank
  from process as child
  join process as parent
    on parent.log = child.log
    and parent.process = child.parent
  where child.rank <> parent.rank
  group by parent.log, parent.rank
),
passed as (
  select log,
         rank,
         sum(recorded_written_bytes) as written_bytes
  from process
  group by log, rank
)
select d.log,
       d.rank,
       d.files,
       cast(least(d.bytes, own.read_bytes) as bigint) as read_bytes,
       d.time_s                       as read_s,
       worked.work_s,
       worked.seen_bytes
from data_read as d
join job
  on job.log = d.log
join own
  on own.log = d.log
  and own.rank = d.rank
join worked
  on worked.log = d.log
  and worked.rank = d.rank
join passed
  on passed.log = d.log
  and passed.rank = d.rank
left join parents
  on parents.log = d.log
  and parents.rank = d.rank
left join installed_program as installed
  on installed.log = d.log
  and installed.rank = d.rank
where coalesce(job.nprocs, 1) = 1
  and parents.rank is null
  and installed.rank is null
  and passed.written_bytes * 2 < d.bytes
