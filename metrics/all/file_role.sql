-- Who moves the data of each file: every rank, a few for all, or one.
--
-- Few ranks may be right: aggregators of collective buffering, or ranks chosen
-- by the program (delegates). effective_ranks says how many ranks of equal load
-- would spread the bytes as unequally: all of them when each moves as much, one
-- when one moves everything. Where single calls were recorded it counts each
-- rank; elsewhere it follows from Darshan's variance over ranks, which a file
-- of all ranks has in its record: N / (1 + variance / mean^2).
-- role is one of
--   own          a file that one rank opened
--   every rank   at least half of the ranks that opened it share the bytes
--   aggregators  fewer ranks than that, below collective requests of MPI-IO
--   rank 0       rank 0 moves at least 80 % of the bytes, for the ranks that opened it
--   one rank     another rank does
--   delegates    fewer than half of the ranks, and MPI-IO is not why
--
-- rows: one row per log, file, layer of posix, mpiio or stdio, and direction in which bytes were moved
-- needs: file_layer, file_op, shared_file, file_rank, collective_share
-- log             | i32 | log     | number of the log in this analysis
-- file_id         | u64 | file_id | joins with `file`
-- layer           | str | name    | as in `file_layer`
-- op              | str | name    | read or write
-- role            | str | name    | see above | neither single calls nor the variance tell
-- opened_ranks    | i64 | ranks   | ranks that used the file | all of them, and their number is not recorded
-- moving_ranks    | i64 | ranks   | ranks that moved bytes | a record of all ranks does not say
-- effective_ranks | f64 | ranks   | ranks of equal load that would spread the bytes as unequally | neither single calls nor the variance tell
-- top_rank        | i64 | rank    | rank that moved the most bytes | not known
-- top_ratio       | f64 | 1       | its share of the bytes | not known
-- bytes           | i64 | bytes   | bytes moved
-- source          | str | name    | call (single calls), record (one record per rank), variance (over all ranks, both directions together)
with moved as (
  select log,
         file_id,
         layer,
         'read'     as op,
         sharing,
         ranks,
         bytes_read as bytes
  from file_layer
  where bytes_read > 0
    and layer in ('posix', 'mpiio', 'stdio')
  union all
  select log,
         file_id,
         layer,
         'write'       as op,
         sharing,
         ranks,
         bytes_written as bytes
  from file_layer
  where bytes_written > 0
    and layer in ('posix', 'mpiio', 'stdio')
),
opened as (
  select log,
         file_id,
         max(ranks)                                          as ranks,
         max(case when sharing = 'unique' then 0 else 1 end) as is_shared
  from file_layer
  where layer in ('posix', 'mpiio', 'stdio')
  group by log, file_id
),
loads as (
  select log,
         file_id,
         layer,
         op,
         rank,
         bytes,
         'call' as source
  from file_rank
  where bytes > 0
  union all
  select log,
         file_id,
         layer,
         op,
         rank,
         bytes,
         'record' as source
  from file_op
  where rank >= 0
    and bytes > 0
),
most as (
  select log,
         file_id,
         layer,
         op,
         source,
         max(bytes) as bytes
  from loads
  group by log, file_id, layer, op, source
),
known as (
  select l.log,
         l.file_id,
         l.layer,
         l.op,
         l.source,
         count(*)                                                    as moving_ranks,
         ratio(sum(cast(l.bytes as double)) * sum(cast(l.bytes as double)),
               sum(cast(l.bytes as double) * l.bytes))               as effective_ranks,
         min(case when l.bytes = most.bytes then l.rank end)         as top_rank,
         ratio(cast(max(l.bytes) as double), sum(cast(l.bytes as double))) as top_ratio
  from loads as l
  join most
    on most.log = l.log
    and most.file_id = l.file_id
    and most.layer = l.layer
    and most.op = l.op
    and most.source = l.source
  group by l.log, l.file_id, l.layer, l.op, l.source
),
varied as (
  select log,
         file_id,
         layer,
         ratio(nprocs, 1 + ratio(spread_bytes * spread_bytes * nprocs * nprocs, cast(bytes as double) * bytes)) as effective_ranks,
         case when slowest_bytes = bytes then slowest_rank
              when fastest_bytes = bytes then fastest_rank end as top_rank,
         case when slowest_bytes = bytes or fastest_bytes = bytes then 1.0 end as top_ratio
  from shared_file
  where bytes > 0
),
told as (
  select m.log,
         m.file_id,
         m.layer,
         m.op,
         opened.is_shared,
         opened.ranks as opened_ranks,
         coalesce(c.moving_ranks, r.moving_ranks)                         as moving_ranks,
         coalesce(c.effective_ranks, r.effective_ranks, v.effective_ranks) as effective_ranks,
         coalesce(c.top_rank, r.top_rank, v.top_rank)                      as top_rank,
         coalesce(c.top_ratio, r.top_ratio, v.top_ratio)                   as top_ratio,
         m.bytes,
         case when c.effective_ranks is not null then 'call'
              when r.effective_ranks is not null then 'record'
              else 'variance' end as source,
         coalesce(s.collective_calls, 0) as collective_calls
  from moved as m
  join opened
    on opened.log = m.log
    and opened.file_id = m.file_id
  left join known as c
    on c.log = m.log
    and c.file_id = m.file_id
    and c.layer = m.layer
    and c.op = m.op
    and c.source = 'call'
  left join known as r
    on r.log = m.log
    and r.file_id = m.file_id
    and r.layer = m.layer
    and r.op = m.op
    and r.source = 'record'
    and m.sharing <> 'all'
  left join varied as v
    on v.log = m.log
    and v.file_id = m.file_id
    and v.layer = m.layer
  left join collective_share as s
    on s.log = m.log
    and s.file_id = m.file_id
    and s.op = m.op
)
select log,
       file_id,
       layer,
       op,
       case when is_shared = 0 then 'own'
            when effective_ranks is null then null
            when effective_ranks * 2 >= opened_ranks then 'every rank'
            when layer = 'posix' and collective_calls > 0 then 'aggregators'
            when top_ratio >= 0.8 and top_rank = 0 then 'rank 0'
            when top_ratio >= 0.8 then 'one rank'
            when opened_ranks is not null then 'delegates' end as role,
       opened_ranks,
       moving_ranks,
       effective_ranks,
       top_rank,
       top_ratio,
       bytes,
       source
from told
