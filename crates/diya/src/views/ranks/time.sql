-- Time in I/O of each rank, layers not counted twice; rank -1: files that all ranks share
select r.log, r.rank, p.kind, p.step, p.number, p.program, r.io_s, r.summed_s, r.metadata_s, r.bytes
from rank_io as r left join peer_group as p on p.log = r.log and p.rank = r.rank
order by r.log, r.io_s desc, r.rank
