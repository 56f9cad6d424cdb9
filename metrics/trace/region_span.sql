-- When the steps, epochs and regions ran that a program or its tracer named.
--
-- A step or epoch with a number is one row for all processes: from the first that begins it to
-- the last that ends it. Regions without a number are those of the lowest rank that has any:
-- other ranks usually run the same ones.
--
-- rows: one row per log, name and number of a step or epoch; one per region of the lowest rank
-- needs: region
-- requires: region
-- log      | i32 | log   | number of the log in this analysis
-- category | str | name  | category of the region, as in `region` | not recorded
-- name     | str | name  | name of the region
-- number   | i64 | index | number of the step or epoch | a region without a number
-- start_s  | f64 | s     | start, since the start of the job
-- end_s    | f64 | s     | end, since the start of the job
-- ranks    | i64 | ranks | ranks whose regions are in the row
select log,
       category,
       name,
       number,
       min(start_s)         as start_s,
       max(end_s)           as end_s,
       count(distinct rank) as ranks
from region
where number is not null
group by log, category, name, number
union all
select region.log,
       region.category,
       region.name,
       region.number,
       region.start_s,
       region.end_s,
       cast(1 as bigint) as ranks
from region
join (
  select log,
         min(rank) as rank
  from region
  where number is null
  group by log
) as lowest
  on lowest.log = region.log
 and lowest.rank = region.rank
where region.number is null
