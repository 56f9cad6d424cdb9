-- Who moves the data of the whole job: every rank, a few, or one.
--
-- As `file_role`, over all files of the lowest layers (posix, stdio, dfs): from
-- single calls where they were recorded, otherwise from the records of each
-- rank, which say nothing of files of all ranks: these then are
-- unknown_bytes. A job whose rank 0 writes everything has the role `rank 0` here.
--
-- question: Do all ranks move the data of the job, or a few for all?
-- rows: one row per log of several processes and direction in which bytes were moved
-- needs: job, rank_layer, rank_call
-- log             | i32 | log   | number of the log in this analysis
-- op              | str | name  | read or write
-- role            | str | name  | every rank (at least half of the ranks share the bytes), rank 0, one rank (either with at least 80 % of the bytes), or some ranks | most bytes are unknown_bytes
-- nprocs          | i64 | ranks | ranks of the job
-- moving_ranks    | i64 | ranks | ranks that moved bytes
-- effective_ranks | f64 | ranks | ranks of equal load that would spread the bytes as unequally | no byte is known
-- top_rank        | i32 | rank  | rank that moved the most bytes | no byte is known
-- top_ratio       | f64 | 1     | its share of the known bytes | no byte is known
-- bytes           | i64 | bytes | bytes whose rank is known
-- unknown_bytes   | i64 | bytes | bytes in records of all ranks
with traced as (
  select log
  from rank_call
  where layer = 'posix'
  group by log
),
loads as (
  select c.log,
         c.rank,
         c.op,
         c.bytes
  from rank_call as c
  join traced
    on traced.log = c.log
  where c.layer in ('posix', 'dfs')
    and c.bytes > 0
  union all
  select r.log,
         r.rank,
         'read'       as op,
         r.bytes_read as bytes
  from rank_layer as r
  left join traced
    on traced.log = r.log
  where (r.layer = 'stdio' or (traced.log is null and r.layer in ('posix', 'dfs')))
    and r.bytes_read > 0
  union all
  select r.log,
         r.rank,
         'write'         as op,
         r.bytes_written as bytes
  from rank_layer as r
  left join traced
    on traced.log = r.log
  where (r.layer = 'stdio' or (traced.log is null and r.layer in ('posix', 'dfs')))
    and r.bytes_written > 0
),
ranks as (
  select log,
         op,
         rank,
         sum(bytes) as bytes,
         row_number() over (partition by log, op order by case when rank < 0 then -1 else sum(bytes) end desc, rank) as place
  from loads
  group by log, op, rank
),
summed as (
  select log,
         op,
         sum(case when rank >= 0 then 1 else 0 end)                     as moving_ranks,
         sum(case when rank >= 0 then bytes else 0 end)                 as bytes,
         sum(case when rank < 0 then bytes else 0 end)                  as unknown_bytes,
         sum(case when rank >= 0 then cast(bytes as double) * bytes end) as squares,
         max(case when rank >= 0 then bytes end)                        as top_bytes,
         max(case when place = 1 and rank >= 0 then rank end)           as top_rank
  from ranks
  group by log, op
)
select s.log,
       s.op,
       case when s.unknown_bytes > s.bytes then null
            when ratio(cast(s.bytes as double) * s.bytes, s.squares) * 2 >= job.nprocs then 'every rank'
            when ratio(s.top_bytes, s.bytes) >= 0.8 and s.top_rank = 0 then 'rank 0'
            when ratio(s.top_bytes, s.bytes) >= 0.8 then 'one rank'
            else 'some ranks' end as role,
       job.nprocs,
       s.moving_ranks,
       ratio(cast(s.bytes as double) * s.bytes, s.squares) as effective_ranks,
       s.top_rank,
       ratio(s.top_bytes, s.bytes)                         as top_ratio,
       s.bytes,
       s.unknown_bytes
from summed as s
join job
  on job.log = s.log
where job.nprocs > 1
