-- Which groups of nodes are slow: switches and enclosures whose nodes do I/O slower than the others of the same job.
--
-- Only jobs whose log names hosts count (recordings of diya, DXT), and only ranks with files of
-- their own: in shared files ranks wait for each other. A node has the bytes per second of its
-- ranks; a group has the median over its nodes. It is compared with the median of the nodes of
-- the same job outside it: both sides need at least min_hosts nodes. Places of nodes come from
-- `diya fleet join --topology`.
--
-- number: 34
-- needs: node_place, rank_host
-- picture: bars x=place y=slow_ratio
-- watch: key=system,level,place value=slow_ratio up ran=system
-- param: min_hosts | 3 | nodes | the median of fewer is the value of one of them
-- param: min_slow | 1.5 | ratio | below that nodes of one switch differ anyway
-- param: min_part | 0.5 | ratio | slow in one job is an accident, in half of them a property
-- param: min_jobs | 2 | jobs | of one job it could be the work of the program
-- system     | str | name  | system
-- level      | str | name  | leaf, group or enclosure
-- place      | str | name  | switch, block or enclosure
-- hosts      | i64 | nodes | most nodes of it in one job
-- jobs       | i64 | jobs  | jobs that can be compared
-- slow_jobs  | i64 | jobs  | of these, slower than the other nodes by min_slow
-- slow_ratio | f64 | ratio | bytes/s of the other nodes over its own, median over the jobs
with node as (
  select system,
         host,
         leaf,
         node_group,
         enclosure
  from (
    select system,
           host,
           leaf,
           node_group,
           enclosure,
           row_number() over (partition by system, host order by start_time desc, row_hash) as place
    from node_place
  ) as placed
  where place = 1
),
grouped as (
  select system, host, 'leaf' as level, leaf as place
  from node
  where leaf is not null
  union all
  select system, host, 'group' as level, node_group as place
  from node
  where node_group is not null
  union all
  select system, host, 'enclosure' as level, enclosure as place
  from node
  where enclosure is not null
),
-- A log may name a node with its domain.
speed as (
  select system,
         log_hash,
         split_part(host, '.', 1) as host,
         sum(bytes) / sum(io_s)   as bytes_per_s
  from rank_host
  where io_s > 0
    and bytes > 0
  group by system, log_hash, split_part(host, '.', 1)
),
host as (
  select s.system,
         s.log_hash,
         g.level,
         g.place,
         s.host,
         s.bytes_per_s
  from speed as s
  join grouped as g
    on g.system = s.system
    and g.host = s.host
),
own as (
  select system,
         log_hash,
         level,
         place,
         count(*)                     as hosts,
         percentile(bytes_per_s, 0.5) as bytes_per_s
  from host
  group by system, log_hash, level, place
  having count(*) >= $min_hosts
),
other as (
  select o.system,
         o.log_hash,
         o.level,
         o.place,
         percentile(h.bytes_per_s, 0.5) as bytes_per_s
  from own as o
  join host as h
    on h.system = o.system
    and h.log_hash = o.log_hash
    and h.level = o.level
  where h.place <> o.place
  group by o.system, o.log_hash, o.level, o.place
  having count(*) >= $min_hosts
),
compared as (
  select o.system,
         o.level,
         o.place,
         o.hosts,
         ratio(x.bytes_per_s, o.bytes_per_s) as slow_ratio
  from own as o
  join other as x
    on x.system = o.system
    and x.log_hash = o.log_hash
    and x.level = o.level
    and x.place = o.place
)
select system,
       level,
       place,
       max(hosts)                                                as hosts,
       count(*)                                                  as jobs,
       sum(case when slow_ratio >= $min_slow then 1 else 0 end)  as slow_jobs,
       percentile(slow_ratio, 0.5)                               as slow_ratio
from compared
group by system, level, place
having count(*) >= $min_jobs
   and percentile(slow_ratio, 0.5) >= $min_slow
   and sum(case when slow_ratio >= $min_slow then 1.0 else 0.0 end) >= $min_part * count(*)
order by slow_ratio desc, system, level, place
