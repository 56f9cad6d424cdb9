-- Seeks of C streams, and the reads and writes between them.
--
-- Recordings of our own time each seek. Darshan has one time for opens, closes and seeks
-- of a stream: there seek_s is that time, at most; an open counts as a hundred seeks for
-- the least of it.
--
-- rows: one row per log, file and rank that moved a stream in the file
-- needs: stdio
-- also: op_count, unseen_io
-- log          | i32 | log     | number of the log in this analysis
-- file_id      | u64 | file_id | joins with `file`
-- rank         | i32 | rank    | rank; -1: all ranks
-- seek_calls   | i64 | calls   | seeks
-- access_calls | i64 | calls   | reads and writes
-- write_calls  | i64 | calls   | writes among these
-- bytes        | i64 | bytes   | bytes read and written
-- is_mixed     | bool | flag   | reads begin before the last write ends, and writes before the last read | not recorded
-- refill_bytes | f64 | bytes   | read into buffers of streams beyond what the rank took, for each of its seeks | counters only
-- least_s      | f64 | s       | time in seeks at least | not recorded
-- seek_s       | f64 | s       | time in seeks, at most; of the slowest rank where rank is -1 | not recorded
with timed as (
  select log,
         file_id,
         rank,
         sum(case when op = 'seek' then calls else 0 end)             as seek_calls,
         sum(case when op in ('read', 'write') then calls else 0 end) as access_calls,
         sum(case when op = 'write' then calls else 0 end)            as write_calls,
         sum(case when op in ('read', 'write') then bytes else 0 end) as bytes,
         sum(case when op = 'seek' then time_s else 0.0 end)          as seek_s
  from op_count
  where layer = 'stdio'
  group by log, file_id, rank
),
traced as (
  select log
  from op_count
  group by log
),
refilled as (
  select u.log,
         u.rank,
         ratio(u.refilled_bytes, sum(timed.seek_calls)) as refill_bytes
  from unseen_io as u
  join timed
    on timed.log = u.log
    and timed.rank = u.rank
  group by u.log, u.rank, u.refilled_bytes
),
used as (
  select log,
         file_id,
         rank,
         f_read_start_timestamp < f_write_end_timestamp and f_write_start_timestamp < f_read_end_timestamp as is_mixed
  from stdio
)
select timed.log,
       timed.file_id,
       timed.rank,
       timed.seek_calls,
       timed.access_calls,
       timed.write_calls,
       coalesce(timed.bytes, 0) as bytes,
       used.is_mixed,
       refilled.refill_bytes,
       timed.seek_s             as least_s,
       timed.seek_s
from timed
left join used
  on used.log = timed.log
  and used.file_id = timed.file_id
  and used.rank = timed.rank
left join refilled
  on refilled.log = timed.log
  and refilled.rank = timed.rank
where timed.seek_calls > 0
union all
select s.log,
       s.file_id,
       s.rank,
       s.seeks                                 as seek_calls,
       s.reads + s.writes                      as access_calls,
       s.writes                                as write_calls,
       s.bytes_read + s.bytes_written          as bytes,
       s.f_read_start_timestamp < s.f_write_end_timestamp and s.f_write_start_timestamp < s.f_read_end_timestamp as is_mixed,
       null                                    as refill_bytes,
       rank_time(s.rank, s.f_meta_time, s.f_read_time + s.f_write_time + s.f_meta_time, s.f_slowest_rank_time) * ratio(s.seeks, s.seeks + 100 * s.opens) as least_s,
       rank_time(s.rank, s.f_meta_time, s.f_read_time + s.f_write_time + s.f_meta_time, s.f_slowest_rank_time) as seek_s
from stdio as s
left join traced
  on traced.log = s.log
where traced.log is null
  and s.seeks > 0
