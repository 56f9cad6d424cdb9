-- What the kernel counted for a process beyond what was recorded of it.
--
-- The recorder sees calls of the C library. Raw system calls, io_uring and programs
-- without a recording (static ones, for example) pass it by; the kernel counts them
-- all: those of child processes with those of the process that waited for them.
-- Up to a quarter of a megabyte for each child is the loading of its libraries, and 4 KiB
-- for each opening and seek of a C stream are read ahead; more where the program gave a stream another
-- buffer (`setvbuf`) and no transfer is missing. Transfers are compared by number,
-- too: what a program reads a byte at a time is few bytes and much time. A call on a C stream
-- counts as two of them, since it may flush or fill a buffer besides; a child as a thousand.
--
-- rows: one row per log and process that ended by itself, with what the kernel counted
-- needs: job
-- also: process, op_count, unrecorded_process, mapping
-- log                   | i32  | log   | number of the log in this analysis
-- rank                  | i32  | rank  | number of the process in all tables
-- children              | i64  | processes | recorded processes that it started, itself or through a program without a recording
-- unrecorded            | i64  | programs | programs it started that left no recording, but for those skipped on purpose and those that made no call
-- unrecorded_program    | str  | name  | one of them, and why | there is none
-- kernel_read_bytes     | i64  | bytes | read, as the kernel counted, without recorded children
-- kernel_written_bytes  | i64  | bytes | written, as the kernel counted, without recorded children
-- seen_read_bytes       | i64  | bytes | recorded reads of POSIX and C streams
-- seen_written_bytes    | i64  | bytes | recorded writes of POSIX and C streams
-- refilled_bytes        | i64  | bytes | read into buffers of C streams beyond what the program took from them, or for the libraries of children
-- unseen_read_bytes     | i64  | bytes | read without a record
-- unseen_written_bytes  | i64  | bytes | written without a record
-- kernel_transfers      | i64  | calls | read and write calls that the kernel counted, without recorded children
-- unseen_transfers      | i64  | calls | of these, without a record
-- unseen_calls          | i64  | calls | calls that the recorder could not record or count: requests that the kernel took from a ring, calls of signal handlers
-- way                   | str  | name  | which way it probably went: program (one that it started and that left no recording), request (of a ring: counted only), system call (of its own instructions, or of a library that no hook sees) | nothing is missing
-- blocked_s             | f64  | s     | time in which it neither used the processor nor was in a recorded call, at most; of several threads not known | not known
-- major_faults          | i64  | faults | page faults that waited for a device | not recorded
-- touched_bytes         | i64  | bytes | bytes of mapped files that all processes of the log touched, as in `mapped_file` | none was mapped, or not known
-- is_large              | bool | flag  | at least 16 MiB and a tenth of what the kernel counted were not recorded, or 100,000 of its transfers and a tenth, or a thousand calls and a tenth of all
with own as (
  select job.log,
         process.rank,
         sum(process.kernel_read_bytes)         as read_bytes,
         sum(process.kernel_written_bytes)      as written_bytes,
         sum(process.kernel_reads + process.kernel_writes) as transfers,
         sum(process.recorded_read_bytes)       as seen_read_bytes,
         sum(process.recorded_written_bytes)    as seen_written_bytes,
         sum(process.stream_refills)            as refills,
         sum(process.calls_dropped)             as unseen_calls,
         sum(process.calls_recorded + process.calls_counted) as seen_calls,
         sum(process.major_faults)              as major_faults,
         max(process.threads)                   as threads,
         sum(process.end_s - process.start_s)   as wall_s,
         sum(process.user_s + process.system_s) as processor_s,
         sum(process.recorded_s)                as call_s
  from job
  join process
    on process.log = job.log
  where process.kernel_read_bytes is not null
    and process.recorded_read_bytes is not null
    and process.ended <> 'killed or still running'
  group by job.log, process.rank
),
-- Started by a program without a recording, such as `mpirun`: what the kernel counted for it
-- comes to the process that waited for that program. The innermost one counts.
below as (
  select orphan.log,
         orphan.process,
         max(through.start_s) as start_s
  from process as orphan
  join unrecorded_process as through
    on through.log = orphan.log
    and through.start_s <= orphan.start_s
    and through.end_s >= orphan.end_s
  join process as starter
    on starter.log = through.log
    and starter.process = through.process
    and starter.process <> orphan.process
    and starter.host = orphan.host
  where orphan.parent is null
  group by orphan.log, orphan.process
),
child_of as (
  select child.log,
         child.process,
         parent.rank
  from process as child
  join process as parent
    on parent.log = child.log
    and parent.process = child.parent
    and parent.rank <> child.rank
  union all
  select below.log,
         below.process,
         through.rank
  from below
  join unrecorded_process as through
    on through.log = below.log
    and through.start_s = below.start_s
),
children as (
  select child_of.log,
         child_of.rank,
         count(*)                                      as children,
         -- of one that was killed the kernel's numbers are those of its last look
         sum(greatest(coalesce(child.kernel_read_bytes, 0), case when child.ended = 'killed or still running' then coalesce(child.recorded_read_bytes, 0) else 0 end))       as read_bytes,
         sum(greatest(coalesce(child.kernel_written_bytes, 0), case when child.ended = 'killed or still running' then coalesce(child.recorded_written_bytes, 0) else 0 end)) as written_bytes,
         sum(coalesce(child.kernel_reads, 0) + coalesce(child.kernel_writes, 0)) as transfers
  from child_of
  join process as child
    on child.log = child_of.log
    and child.process = child_of.process
  group by child_of.log, child_of.rank
),
seen as (
  select log,
         rank,
         sum(case when layer = 'posix' and op in ('read', 'write') then calls else 0 end)
         + 2 * sum(case when layer = 'stdio' then calls else 0 end) as transfers,
         sum(case when function = 'setvbuf' then calls else 0 end)  as buffers
  from op_count
  where layer in ('posix', 'stdio')
  group by log, rank
),
started as (
  select log,
         rank,
         count(*)                                           as programs,
         min(concat(base_name(program), ' (', reason, ')')) as program,
         case when count(*) > 1 then ' and others' end      as others
  from unrecorded_process
  where reason not in ('none', 'skipped')
  group by log, rank
),
touched as (
  select log,
         sum(touched_bytes) as touched_bytes
  from mapping
  group by log
),
beside as (
  select own.log,
         own.rank,
         coalesce(children.children, 0)                                        as children,
         coalesce(started.programs, 0)                                         as unrecorded,
         case when started.programs > 0 then concat(started.program, coalesce(started.others, '')) end as unrecorded_program,
         greatest(own.read_bytes - coalesce(children.read_bytes, 0), 0)        as kernel_read_bytes,
         greatest(own.written_bytes - coalesce(children.written_bytes, 0), 0)  as kernel_written_bytes,
         own.seen_read_bytes,
         own.seen_written_bytes,
         greatest(own.transfers - coalesce(children.transfers, 0), 0)          as kernel_transfers,
         coalesce(seen.transfers, 0) + 1000 * coalesce(children.children, 0)   as seen_transfers,
         own.unseen_calls,
         own.seen_calls,
         own.major_faults,
         -- each read of another buffer is behind a call of the stream: no transfer is missing
         own.refills > 0 and coalesce(seen.buffers, 0) > 0 and coalesce(started.programs, 0) = 0
         and greatest(own.transfers - coalesce(children.transfers, 0), 0)
           <= coalesce(seen.transfers, 0) + 1000 * coalesce(children.children, 0) + own.unseen_calls
         and own.written_bytes - coalesce(children.written_bytes, 0) <= own.seen_written_bytes as is_refill,
         touched.touched_bytes,
         262144 * coalesce(children.children, 0) + 4096 * own.refills          as allowed_bytes,
         case when own.threads <= 1 then greatest(own.wall_s - own.processor_s - own.call_s, 0) end as blocked_s
  from own
  left join children
    on children.log = own.log
    and children.rank = own.rank
  left join seen
    on seen.log = own.log
    and seen.rank = own.rank
  left join started
    on started.log = own.log
    and started.rank = own.rank
  left join touched
    on touched.log = own.log
),
unseen as (
  select log,
         rank,
         children,
         unrecorded,
         unrecorded_program,
         kernel_read_bytes,
         kernel_written_bytes,
         seen_read_bytes,
         seen_written_bytes,
         least(greatest(kernel_read_bytes - seen_read_bytes, 0),
               case when is_refill then kernel_read_bytes else allowed_bytes end) as refilled_bytes,
         case when is_refill then 0
              else greatest(kernel_read_bytes - seen_read_bytes - allowed_bytes, 0) end as unseen_read_bytes,
         greatest(kernel_written_bytes - seen_written_bytes, 0)           as unseen_written_bytes,
         kernel_transfers,
         greatest(kernel_transfers - seen_transfers - unseen_calls, 0)    as unseen_transfers,
         unseen_calls,
         seen_calls,
         major_faults,
         touched_bytes,
         blocked_s
  from beside
)
select log,
       rank,
       children,
       unrecorded,
       unrecorded_program,
       kernel_read_bytes,
       kernel_written_bytes,
       seen_read_bytes,
       seen_written_bytes,
       refilled_bytes,
       unseen_read_bytes,
       unseen_written_bytes,
       kernel_transfers,
       unseen_transfers,
       unseen_calls,
       case
         when unseen_read_bytes + unseen_written_bytes + unseen_transfers > 0 and unrecorded > 0 then 'program'
         when unseen_read_bytes + unseen_written_bytes + unseen_transfers > 0 then 'system call'
         when unseen_calls > 0 then 'request'
       end as way,
       blocked_s,
       major_faults,
       touched_bytes,
       (unseen_read_bytes + unseen_written_bytes >= 16777216
       and (unseen_read_bytes + unseen_written_bytes) * 10 >= kernel_read_bytes + kernel_written_bytes)
       or (unseen_transfers >= 100000 and unseen_transfers * 10 >= kernel_transfers)
       or (unseen_calls >= 1000 and unseen_calls * 10 >= unseen_calls + seen_calls) as is_large
from unseen
