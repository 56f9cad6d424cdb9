-- Whether the leading thread of the run waited for a core for two fifths of it: more threads than cores
-- were at work. Ranks then wait for each other whatever they do, and in turns: no finding about waiting
-- follows from that.
--
-- rows: one row per log of which `leader_time` says so
-- needs: job
-- also: leader_time
-- log        | i32 | log | number of the log in this analysis
-- core_s     | f64 | s   | time in which the leading thread was ready, and had no core
-- core_ratio | f64 | 1   | the same over the run time
select l.log,
       sum(l.time_s)                               as core_s,
       ratio(sum(l.time_s), max(job.run_time_s)) as core_ratio
from leader_time as l
join job
  on job.log = l.log
where l.activity = 'core'
group by l.log
having ratio(sum(l.time_s), max(job.run_time_s)) >= 0.4
