-- Bytes that rank 0 of each job step reads or writes, beside those of all its ranks.
--
-- The bytes of a file with collective calls are not those of rank 0: it may be an aggregator,
-- which moves the bytes of all. Of a file that all ranks share, the log names only the fastest
-- and the slowest rank, with the sum of what they read and write.
--
-- rows: one row per log, job step and op with bytes; step 0 where there are none
-- needs: posix, stdio, mpiio, file, peer_group
-- log         | i32 | log   | number of the log in this analysis
-- step        | i32 | index | job step, as in `process`; 0: no step
-- op          | str | name  | read or write
-- ranks       | i64 | ranks | ranks of the step | those of the job
-- rank        | i32 | rank  | number of rank 0 of the step in all tables | rank 0 has no record
-- all_bytes   | i64 | bytes | bytes that all ranks move, but those in shared memory and files of the kernel | not recorded
-- own_bytes   | i64 | bytes | those that are known to be of rank 0 | not recorded
-- own_files   | i64 | files | files that rank 0 alone reads or writes
-- other_files | i64 | files | most files that any other rank alone reads or writes
with gathered as (
  select log,
         file_id
  from mpiio
  group by log, file_id
  having sum(coll_reads + coll_writes + split_reads + split_writes) > 0
),
counted as (
  select log, file_id, rank, bytes_read, bytes_written, slowest_rank, slowest_rank_bytes, fastest_rank, fastest_rank_bytes
  from posix
  union all
  select log, file_id, rank, bytes_read, bytes_written, slowest_rank, slowest_rank_bytes, fastest_rank, fastest_rank_bytes
  from stdio
),
moved as (
  select log, file_id, rank, 'read' as op, bytes_read as bytes,
         slowest_rank, fastest_rank,
         case when bytes_written = 0 then slowest_rank_bytes else 0 end as slowest_bytes,
         case when bytes_written = 0 then fastest_rank_bytes else 0 end as fastest_bytes
  from counted
  where bytes_read > 0
  union all
  select log, file_id, rank, 'write' as op, bytes_written as bytes,
         slowest_rank, fastest_rank,
         case when bytes_read = 0 then slowest_rank_bytes else 0 end as slowest_bytes,
         case when bytes_read = 0 then fastest_rank_bytes else 0 end as fastest_bytes
  from counted
  where bytes_written > 0
),
placed as (
  select m.log,
         m.file_id,
         m.op,
         m.bytes,
         coalesce(peer.step, 0)                                 as step,
         peer.peers,
         case when peer.number = 0 then m.rank end              as rank_zero,
         case when m.rank >= 0 then coalesce(peer.number, m.rank) end as number,
         case when gathered.file_id is not null then 0
              when coalesce(peer.number, m.rank) = 0 then m.bytes
              when m.rank = -1 and m.slowest_rank = 0 then m.slowest_bytes
              when m.rank = -1 and m.fastest_rank = 0 then m.fastest_bytes
              else 0 end                                        as own_bytes
  from moved as m
  left join file
    on file.log = m.log
    and file.file_id = m.file_id
  left join gathered
    on gathered.log = m.log
    and gathered.file_id = m.file_id
  left join peer_group as peer
    on peer.log = m.log
    and peer.rank = m.rank
  where (peer.rank is null
      or peer.kind = 'rank')
    and not coalesce(file.path like '/dev/%' or file.path like '/proc/%' or file.path like '/sys/%', false)
),
lone as ( -- files that one rank has for itself
  select log,
         step,
         op,
         file_id,
         max(number) as number
  from placed
  group by log, step, op, file_id
  having count(distinct number) = 1
    and count(number) = count(*)
),
dealt as (
  select log,
         step,
         op,
         number,
         count(*) as files
  from lone
  group by log, step, op, number
),
shared_out as (
  select log,
         step,
         op,
         sum(case when number = 0 then files else 0 end) as own_files,
         max(case when number = 0 then 0 else files end) as other_files
  from dealt
  group by log, step, op
),
summed as (
  select log,
         step,
         op,
         max(peers)     as ranks,
         min(rank_zero) as rank,
         sum(bytes)     as all_bytes,
         sum(own_bytes) as own_bytes
  from placed
  group by log, step, op
)
select summed.log,
       summed.step,
       summed.op,
       summed.ranks,
       summed.rank,
       summed.all_bytes,
       summed.own_bytes,
       coalesce(shared_out.own_files, 0)   as own_files,
       coalesce(shared_out.other_files, 0) as other_files
from summed
left join shared_out
  on shared_out.log = summed.log
  and shared_out.step = summed.step
  and shared_out.op = summed.op
