-- How often each file is asked about (its size, time or presence), and what that takes.
--
-- Opens are those of POSIX calls and C streams. Recordings of our own count failed
-- questions as well, and time them; elsewhere the time is a share of that of all
-- metadata calls.
--
-- rows: one row per log and file that was opened or asked about
-- needs: opened_file
-- also: op_count
-- log     | i32 | log     | number of the log in this analysis
-- file_id | u64 | file_id | joins with `file`
-- stats   | i64 | calls   | stat calls of all kinds | not recorded
-- opens   | i64 | calls   | opens | not recorded
-- stat_s  | f64 | s       | time in stat calls of the slowest rank | not recorded
with of_rank as (
  select log,
         file_id,
         rank,
         sum(case when op = 'stat' then calls else 0 end)  as stats,
         sum(case when op = 'open' then calls else 0 end)  as opens,
         sum(case when op = 'stat' then time_s else 0 end) as stat_s
  from op_count
  where layer in ('posix', 'stdio')
    and op in ('stat', 'open')
  group by log, file_id, rank
),
known as (
  select log
  from of_rank
  group by log
)
select log,
       file_id,
       sum(stats)  as stats,
       sum(opens)  as opens,
       max(stat_s) as stat_s
from of_rank
group by log, file_id
union all
select f.log,
       f.file_id,
       f.stats,
       f.opens,
       f.metadata_s * ratio(f.stats, f.stats + f.opens) as stat_s
from opened_file as f
left join known
  on known.log = f.log
where known.log is null
