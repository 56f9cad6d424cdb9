-- Mapping of files into memory: calls of each process, and what they take.
--
-- Counters (Darshan) hold the number of mappings, not their time. Where they are more
-- than nine in ten of the metadata calls on a file, the time of these calls is at most
-- that of the mappings.
--
-- rows: one row per log, file and rank with mappings whose time is known
-- needs: posix
-- also: op_count
-- log       | i32 | log     | number of the log in this analysis
-- file_id   | u64 | file_id | joins with `file`
-- rank      | i32 | rank    | rank; -1: one record for all ranks of the job
-- class     | str | name    | map: the calls were timed; metadata: all metadata calls were timed together
-- map_calls | i64 | calls   | calls that map
-- calls     | i64 | calls   | calls that map or unmap
-- time_s    | f64 | s       | time in them; where class is metadata, at most
with traced as (
  select log
  from op_count
  group by log
)
select log,
       file_id,
       rank,
       'map'                                           as class,
       sum(case when op = 'map' then calls else 0 end) as map_calls,
       sum(calls)                                      as calls,
       sum(time_s)                                     as time_s
from op_count
where layer = 'posix'
  and op in ('map', 'unmap')
group by log, file_id, rank
union all
select p.log,
       p.file_id,
       p.rank,
       'metadata'                                      as class,
       p.mmaps                                         as map_calls,
       p.mmaps                                         as calls,
       recorded_time(case when p.rank < 0 then least(p.f_meta_time, p.f_slowest_rank_time) else p.f_meta_time end) as time_s
from posix as p
left join traced
  on traced.log = p.log
where traced.log is null
  and p.mmaps > 9 * (p.opens + p.stats + p.seeks)
