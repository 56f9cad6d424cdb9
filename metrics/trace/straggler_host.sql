-- Whether the ranks of the same node hold up phase after phase.
--
-- As `straggler_rank`, for nodes: by chance a node is last as often as its
-- share of the ranks of the phase.
--
-- rows: one row per log, layer and node with ranks in phases of at least two ranks, where the log names nodes
-- needs: phase_rank, phase_straggler, rank_node
-- log              | i32 | log    | number of the log in this analysis
-- layer            | str | name   | layer, as in `call`
-- host             | str | name   | node
-- ranks            | i64 | ranks  | ranks of the node that made calls
-- phases           | i64 | phases | phases of at least two ranks in which one of them made calls
-- last_phases      | i64 | phases | phases in which one of them was the last to be done
-- expected_phases  | f64 | phases | phases in which one would be last by chance
-- excess_ratio     | f64 | 1      | last_phases over expected_phases: 1 is chance
-- waited_s         | f64 | s      | what the others waited in the phases in which one of them was last
select log,
       layer,
       host,
       max(most_ranks)     as ranks,
       count(*)            as phases,
       sum(is_last)        as last_phases,
       sum(expected)       as expected_phases,
       ratio(sum(is_last), sum(expected)) as excess_ratio,
       sum(waited_s)       as waited_s
from (
  select r.log,
         r.layer,
         n.host,
         r.phase,
         count(*)                                               as most_ranks,
         max(case when s.last_rank = r.rank then 1 else 0 end)  as is_last,
         ratio(count(*), max(s.ranks))                          as expected,
         max(case when s.last_rank = r.rank then s.waited_s else 0 end) as waited_s
  from phase_rank as r
  join phase_straggler as s
    on s.log = r.log
    and s.layer = r.layer
    and s.phase = r.phase
  join rank_node as n
    on n.log = r.log
    and n.rank = r.rank
  group by r.log, r.layer, n.host, r.phase
) as each_phase
group by log, layer, host
