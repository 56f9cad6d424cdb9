-- Whether the ranks of an I/O phase work at the same time or one after another.
--
-- overlap_ratio is 1 where no two ranks were ever in a call at once, and the number of
-- ranks where all were all the time. Processes without MPI are left out: they follow
-- each other by nature, as the steps of a script.
--
-- rows: one row per log, layer and phase in which several ranks did I/O
-- needs: phase, phase_rank
-- also: process
-- log           | i32 | log   | number of the log in this analysis
-- layer         | str | name  | as in `call`
-- phase         | i32 | index | as in `phase`
-- ranks         | i64 | ranks | ranks that did I/O
-- start_s       | f64 | s     | start of the phase, since the start of the job
-- end_s         | f64 | s     | its end
-- busy_s        | f64 | s     | time in which any rank was in a call
-- longest_s     | f64 | s     | time in calls of the rank with most of it
-- overlap_ratio | f64 | 1     | time in calls, summed over ranks, over busy_s | no time was measured
-- filled_ratio  | f64 | 1     | busy_s over the length of the phase | the phase has no length
with of_ranks as (
  select p.log,
         p.layer,
         p.phase,
         count(*)    as ranks,
         sum(p.io_s) as io_s,
         max(p.io_s) as longest_s
  from phase_rank as p
  left join process
    on process.log = p.log
    and process.rank = p.rank
    and process.mpi_rank is null
  where process.log is null
  group by p.log, p.layer, p.phase
  having count(*) > 1
)
select o.log,
       o.layer,
       o.phase,
       o.ranks,
       phase.start_s,
       phase.end_s,
       phase.busy_s,
       o.longest_s,
       ratio(o.io_s, phase.busy_s)                        as overlap_ratio,
       ratio(phase.busy_s, phase.end_s - phase.start_s)   as filled_ratio
from of_ranks as o
join phase
  on phase.log = o.log
  and phase.layer = o.layer
  and phase.phase = o.phase
