-- What rank 0 of each job step does of the reads, of the writes and of both, and what sharing it
-- among all ranks saves.
--
-- Besides its calls: numbers that it converts from or to text, and work on the bytes while all
-- other ranks wait.
--
-- rows: one row per log, job step and op with bytes, and one for both; step 0 where there are none
-- needs: job, rank_zero_share, lost_single_rank, beside_calls, awaited_io
-- log         | i32 | log   | number of the log in this analysis
-- step        | i32 | index | job step, as in `process`; 0: no step
-- op          | str | name  | read, write, or all: both together
-- rank        | i32 | rank  | number of rank 0 of the step in all tables
-- ranks       | i64 | ranks | ranks of the step | not recorded
-- all_bytes   | i64 | bytes | bytes that all ranks move | not recorded
-- own_bytes   | i64 | bytes | those that are known to be of rank 0 | not recorded
-- own_ratio   | f64 | 1     | its share | not recorded
-- own_files   | i64 | files | files that rank 0 alone uses
-- other_files | i64 | files | most files that any other rank alone uses
-- rank_s      | f64 | s     | time of rank 0 in these calls, and in converting text | not recorded
-- awaited_s   | f64 | s     | what sharing saves of the time in which the others wait, at most | not seen
-- lost_low_s  | f64 | s     | seconds in calls that sharing saves at least | not recorded
-- lost_high_s | f64 | s     | seconds in calls, or in which others wait, that sharing saves at most | not recorded
-- text_low_s  | f64 | s     | seconds in converting text that sharing saves at least | no text
-- text_high_s | f64 | s     | seconds in converting text that sharing saves at most | no text
with moved as (
  select log, step, op, ranks, rank, all_bytes, own_bytes, own_files, other_files
  from rank_zero_share
  union all
  select log, step, 'all' as op, max(ranks), min(rank), sum(all_bytes), sum(own_bytes),
         max(own_files), max(other_files)
  from rank_zero_share
  group by log, step
),
lost as (
  select log, rank, op,
         sum(rank_s)      as rank_s,
         sum(lost_low_s)  as lost_low_s,
         sum(lost_high_s) as lost_high_s
  from lost_single_rank
  group by log, rank, op
  union all
  select log, rank, 'all' as op, sum(rank_s), sum(lost_low_s), sum(lost_high_s)
  from lost_single_rank
  group by log, rank
),
text as ( -- numbers that the rank converts beside its calls
  select log, rank, op, sum(low_s) as low_s, sum(high_s) as high_s
  from beside_calls
  where kind = 'text'
  group by log, rank, op
  union all
  select log, rank, 'all' as op, sum(low_s), sum(high_s)
  from beside_calls
  where kind = 'text'
  group by log, rank
),
awaited as (
  select log, rank, op, lost_s
  from awaited_io
  where kind = 'rank'
)
select own.log,
       own.step,
       own.op,
       coalesce(own.rank, 0)                                          as rank,
       coalesce(own.ranks, job.nprocs)                                as ranks,
       own.all_bytes,
       own.own_bytes,
       ratio(own.own_bytes, own.all_bytes)                            as own_ratio,
       own.own_files,
       own.other_files,
       lost.rank_s + coalesce(text.high_s, 0.0)                       as rank_s,
       awaited.lost_s                                                 as awaited_s,
       lost.lost_low_s,
       case when text.high_s > 0 then lost.lost_high_s
            else greatest(lost.lost_high_s, awaited.lost_s) end       as lost_high_s,
       text.low_s * (1.0 - ratio(1, coalesce(own.ranks, job.nprocs))) as text_low_s,
       greatest(text.high_s * (1.0 - ratio(1, coalesce(own.ranks, job.nprocs))),
                case when text.high_s > 0 then awaited.lost_s - lost.lost_high_s end) as text_high_s
from moved as own
join job on job.log = own.log
left join awaited
  on awaited.log = own.log
  and awaited.rank = coalesce(own.rank, 0)
  and (own.op = 'all' or own.op = awaited.op)
left join lost
  on lost.log = own.log
  and lost.rank = coalesce(own.rank, 0)
  and lost.op = own.op
left join text
  on text.log = own.log
  and text.rank = coalesce(own.rank, 0)
  and text.op = own.op
