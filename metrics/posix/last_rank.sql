-- The ranks that end I/O phases of POSIX last, and what they do more than the others.
--
-- rows: one row per log and rank that ends a phase last
-- needs: phase_straggler, lost_phase_waits, phase_rank
-- log            | i32 | log    | number of the log in this analysis
-- rank           | i32 | rank   | rank that ends phases last
-- last_phases    | i64 | phases | phases that it ends last
-- slowest_phases | i64 | phases | of these, those in which it also spends the most time in calls
-- phases         | i64 | phases | phases of the log
-- ranks          | i64 | ranks  | most ranks of a phase
-- last_ratio     | f64 | 1      | share of the phases that it ends last
-- waited_s       | f64 | s      | waiting of the others in these phases
-- bytes_ratio    | f64 | 1      | bytes that it moves, divided by those of the middle rank | not recorded
-- calls_ratio    | f64 | 1      | calls that it makes, divided by those of the middle rank | not recorded
-- lost_high_s    | f64 | s      | time of its calls beyond that of the middle rank; no more than the others wait | not recorded
with seen as (
  select log,
         count(*)   as phases,
         max(ranks) as ranks
  from phase_straggler
  where layer = 'posix'
  group by log
),
last as (
  select s.log,
         s.last_rank               as rank,
         count(*)                  as last_phases,
         sum(case when s.slowest_rank = s.last_rank then 1 else 0 end) as slowest_phases,
         sum(s.waited_s)           as waited_s,
         sum(lost.lost_high_s)     as lost_high_s
  from phase_straggler as s
  left join lost_phase_waits as lost
    on lost.log = s.log
    and lost.layer = s.layer
    and lost.phase = s.phase
  where s.layer = 'posix'
  group by s.log, s.last_rank
),
did as (
  select log,
         rank,
         sum(calls) as calls,
         sum(bytes) as bytes
  from phase_rank
  where layer = 'posix'
  group by log, rank
),
middle as (
  select log,
         median(calls) as calls,
         median(bytes) as bytes
  from did
  group by log
)
select last.log,
       last.rank,
       last.last_phases,
       last.slowest_phases,
       seen.phases,
       seen.ranks,
       ratio(last.last_phases, seen.phases) as last_ratio,
       last.waited_s,
       ratio(did.bytes, middle.bytes)       as bytes_ratio,
       ratio(did.calls, middle.calls)       as calls_ratio,
       last.lost_high_s
from last
join seen
  on seen.log = last.log
left join did
  on did.log = last.log
  and did.rank = last.rank
left join middle
  on middle.log = last.log
