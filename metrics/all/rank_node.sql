-- The node of each rank, where the log contains it.
--
-- Darshan names nodes only in DXT and AutoPerf records; own traces always do.
--
-- rows: one row per log, rank and node it was seen on
-- needs: rank_host, process
-- log  | i32 | log  | number of the log in this analysis
-- rank | i32 | rank | rank
-- host | str | name | node
select log,
       rank,
       host
from (
  select log,
         rank,
         host
  from rank_host
  where rank >= 0
  union all
  select log,
         rank,
         coalesce(host, '') as host -- both parts of a union are never null
  from process
  where host is not null
) as seen
group by log, rank, host
