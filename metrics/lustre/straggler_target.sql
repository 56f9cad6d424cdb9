-- Whether the same storage target (OST) is the slowest phase after phase.
--
-- As `straggler_rank`, for targets: the slowest of a phase is the one with the
-- most time in requests. By chance each of n targets is that in one of n
-- phases.
--
-- question: Is the same storage target slow in phase after phase?
-- rows: one row per log and target with bytes in phases of at least two targets
-- needs: phase_target
-- log             | i32 | log    | number of the log in this analysis
-- ost_id          | i64 | id     | object storage target
-- phases          | i64 | phases | phases of at least two targets in which it got bytes
-- slowest_phases  | i64 | phases | phases in which requests to it took the most time
-- expected_phases | f64 | phases | phases in which they would by chance
-- excess_ratio    | f64 | 1      | slowest_phases over expected_phases: 1 is chance
-- bytes           | i64 | bytes  | bytes in these phases
-- time_s          | f64 | s      | time in requests to it in these phases, summed over ranks
select log,
       ost_id,
       count(*)                            as phases,
       sum(case when place = 1 then 1 else 0 end) as slowest_phases,
       sum(ratio(1, targets))              as expected_phases,
       ratio(sum(case when place = 1 then 1 else 0 end), sum(ratio(1, targets))) as excess_ratio,
       sum(bytes)                          as bytes,
       sum(time_s)                         as time_s
from (
  select log,
         phase,
         ost_id,
         bytes,
         time_s,
         row_number() over (partition by log, phase order by time_s desc, ost_id) as place,
         count(*) over (partition by log, phase)                                  as targets
  from phase_target
) as placed
where targets > 1
group by log, ost_id
