-- Whether the same ranks hold up phase after phase.
--
-- By chance each of n ranks is last in one of n phases: expected_phases adds
-- that up over the phases it took part in. A rank that is last far more often
-- has a reason: more work, a slower node, a slower target.
--
-- rows: one row per log, layer and rank that took part in phases of at least two ranks
-- needs: phase_rank, phase_straggler
-- log              | i32 | log    | number of the log in this analysis
-- layer            | str | name   | layer, as in `call`
-- rank             | i32 | rank   | rank
-- phases           | i64 | phases | phases of at least two ranks in which it made calls
-- last_phases      | i64 | phases | phases in which it was the last to be done
-- slowest_phases   | i64 | phases | phases in which it had the most time in calls
-- expected_phases  | f64 | phases | phases in which it would be last by chance
-- last_ratio       | f64 | 1      | last_phases over phases
-- excess_ratio     | f64 | 1      | last_phases over expected_phases: 1 is chance
-- waited_s         | f64 | s      | what the others waited in the phases in which it was last
select r.log,
       r.layer,
       r.rank,
       count(*)                                                     as phases,
       sum(case when s.last_rank = r.rank then 1 else 0 end)        as last_phases,
       sum(case when s.slowest_rank = r.rank then 1 else 0 end)     as slowest_phases,
       sum(ratio(1, s.ranks))                                       as expected_phases,
       ratio(sum(case when s.last_rank = r.rank then 1 else 0 end), count(*))               as last_ratio,
       ratio(sum(case when s.last_rank = r.rank then 1 else 0 end), sum(ratio(1, s.ranks))) as excess_ratio,
       sum(case when s.last_rank = r.rank then s.waited_s else 0 end) as waited_s
from phase_rank as r
join phase_straggler as s
  on s.log = r.log
  and s.layer = r.layer
  and s.phase = r.phase
group by r.log, r.layer, r.rank
