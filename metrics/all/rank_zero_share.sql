-- Bytes that rank 0 of each job step transfers, beside those of all its ranks.
--
-- The bytes of a file with collective calls are not those of rank 0: it may be an aggregator,
-- which moves the bytes of all. Of a file that all ranks share, the log names only the fastest
-- and the slowest rank.
--
-- rows: one row per log and job step; step 0 where there are none
-- needs: posix, stdio, mpiio, file, peer_group
-- log       | i32 | log   | number of the log in this analysis
-- step      | i32 | index | job step, as in `process`; 0: no step
-- ranks     | i64 | ranks | ranks of the step | those of the job
-- rank      | i32 | rank  | number of rank 0 of the step in all tables | rank 0 has no record
-- all_bytes | i64 | bytes | bytes that all ranks read and wrote, but those in shared memory and files of the kernel | not recorded
-- own_bytes | i64 | bytes | those that are known to be of rank 0 | not recorded
with gathered as (
  select log,
         file_id
  from mpiio
  group by log, file_id
  having sum(coll_reads + coll_writes + split_reads + split_writes) > 0
),
moved as (
  select log,
         file_id,
         rank,
         bytes_read + bytes_written as bytes,
         slowest_rank,
         slowest_rank_bytes,
         fastest_rank,
         fastest_rank_bytes
  from posix
  union all
  select log,
         file_id,
         rank,
         bytes_read + bytes_written as bytes,
         slowest_rank,
         slowest_rank_bytes,
         fastest_rank,
         fastest_rank_bytes
  from stdio
)
select m.log,
       coalesce(peer.step, 0)               as step,
       max(peer.peers)                      as ranks,
       min(case when peer.number = 0 then m.rank end) as rank,
       sum(m.bytes)                         as all_bytes,
       sum(case when gathered.file_id is not null then 0
                when coalesce(peer.number, m.rank) = 0 then m.bytes
                when m.rank = -1 and m.slowest_rank = 0 then m.slowest_rank_bytes
                when m.rank = -1 and m.fastest_rank = 0 then m.fastest_rank_bytes
                else 0 end)                 as own_bytes
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
group by m.log, coalesce(peer.step, 0)
