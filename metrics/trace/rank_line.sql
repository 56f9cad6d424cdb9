-- Where a rank spends more time than the mean of the ranks it can be compared with: in calls
-- of a source line, between two of them, and in code of the program itself.
--
-- Names what makes a late rank late. Calls are those that the program itself makes, not those
-- made inside them. Between two calls of one thread that follow each other the rank computes, or
-- waits in calls that are not recorded. Samples of the processor show which code it runs
-- meanwhile: of each function the line seen most often. These three show the same time in
-- different ways: add up within one kind only.
--
-- rows: one row per log, rank, kind and place with at least 10 ms more than the mean of the others
-- needs: call, user_frame, peer_group
-- also: processor_sample
-- requires: user_frame
-- log      | i32 | log  | number of the log in this analysis
-- rank     | i32 | rank | number of the process in all tables
-- kind     | str | name | call (in the calls of a line), between (from the end of one call to the start of the next), or code (samples of the processor)
-- source   | str | text | function (file:line), and what it calls; the line that makes the first of two calls
-- until    | str | text | the line that makes the second of two calls | not between two calls
-- time_s   | f64 | s    | time of this rank
-- others_s | f64 | s    | mean time of the other ranks
-- excess_s | f64 | s    | time_s - others_s
with own_call as (
  select c.log,
         c.rank,
         coalesce(c.thread, 0) as thread,
         c.start_s,
         c.end_s,
         c.busy_s,
         u.source || coalesce(', calls ' || coalesce(u.library_call, c.function), '') as line
  from call as c
  join user_frame as u
    on u.log = c.log
    and u.stack_id = c.stack_id
  where c.parent_id is null
    and u.origin = 'user'
),
followed as (
  select log,
         rank,
         line,
         busy_s,
         end_s,
         lead(line) over (partition by log, rank, thread order by start_s, end_s)    as next_line,
         lead(start_s) over (partition by log, rank, thread order by start_s, end_s) as next_s
  from own_call
),
sampled as (
  select log,
         rank,
         rtrim(source, '0123456789)') as place, -- function and file
         source,
         sum(weight_s)                as time_s
  from processor_sample
  where source is not null
  group by log, rank, rtrim(source, '0123456789)'), source
),
-- The line of a function that most samples of all ranks show stands for it.
named as (
  select log,
         place,
         source,
         row_number() over (partition by log, place order by time_s desc, source) as number
  from (select log, place, source, sum(time_s) as time_s from sampled group by log, place, source) as lines
),
spent as (
  select log, rank, 'call' as kind, line as source, cast(null as varchar) as until, sum(busy_s) as time_s
  from followed
  group by log, rank, line
  union all
  select log, rank, 'between' as kind, line as source, next_line as until, sum(greatest(next_s - end_s, 0.0)) as time_s
  from followed
  where next_line is not null
  group by log, rank, line, next_line
  union all
  select s.log, s.rank, 'code' as kind, n.source, cast(null as varchar) as until, sum(s.time_s) as time_s
  from sampled as s
  join named as n
    on n.log = s.log
    and n.place = s.place
    and n.number = 1
  group by s.log, s.rank, n.source
),
compared as (
  select s.log, s.rank, s.kind, s.source, s.until, s.time_s, p.peer_group, p.peers
  from spent as s
  join peer_group as p
    on p.log = s.log
    and p.rank = s.rank
  where p.peers > 1
    and p.peer_group is not null
),
summed as (
  select log, peer_group, kind, source, until, sum(time_s) as all_s
  from compared
  group by log, peer_group, kind, source, until
)
select c.log,
       c.rank,
       c.kind,
       c.source,
       c.until,
       c.time_s,
       ratio(a.all_s - c.time_s, c.peers - 1)            as others_s,
       c.time_s - ratio(a.all_s - c.time_s, c.peers - 1) as excess_s
from compared as c
join summed as a
  on a.log = c.log
  and a.peer_group = c.peer_group
  and a.kind = c.kind
  and a.source = c.source
  and coalesce(a.until, '') = coalesce(c.until, '')
where c.time_s - ratio(a.all_s - c.time_s, c.peers - 1) > 0.01
