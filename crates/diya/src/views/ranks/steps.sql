-- Job steps, and programs outside of them: when they ran, and their time in I/O
select p.log, p.step, p.kind, p.program, count(*) as processes, min(t.start_s) as start_s, max(t.end_s) as end_s,
       sum(r.io_s) as io_s, max(r.io_s) as slowest_s, sum(r.bytes) as bytes
from peer_group as p
join (select log, rank, min(start_s) as start_s, max(end_s) as end_s from process group by log, rank) as t
  on t.log = p.log and t.rank = p.rank
left join rank_io as r on r.log = p.log and r.rank = p.rank
group by p.log, p.step, p.kind, p.program
order by p.log, start_s, p.step
