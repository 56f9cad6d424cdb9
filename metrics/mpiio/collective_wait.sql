-- Waiting in collective MPI-IO calls: what passes in the calls of a rank until the last rank
-- enters, and what the exchange takes afterwards.
--
-- The first call of each rank on a file belongs to the first round, the second to the
-- second. If ranks make different numbers of calls, the rounds are not known. Only logs
-- with the times of single calls have rows.
--
-- rows: one row per log, file and direction with collective calls of several ranks
-- needs: collective_entry
-- log        | i32 | log     | number of the log in this analysis
-- file_id    | u64 | file_id | joins with `file`
-- op         | str | name    | read or write
-- ranks      | i64 | ranks   | ranks that make the calls
-- rounds     | i64 | 1       | calls of each rank
-- least_s    | f64 | s       | waiting of the rank that waits least: the ranks are late by turns
-- mean_s     | f64 | s       | waiting, mean of the ranks: what is left if all have equal work
-- most_s     | f64 | s       | waiting of the rank that waits most
-- exchange_s | f64 | s       | time after the last rank has entered, of the rank where it is longest
-- late_rank   | i32 | rank   | rank that the others wait for longest: last in the rounds with most of the waiting
-- late_rounds | i64 | 1      | rounds that it enters last
with arrival as (
  select log,
         file_id,
         op,
         round,
         max(start_s) as last_s
  from collective_entry
  group by log, file_id, op, round
),
entered as (
  select log,
         file_id,
         op,
         rank,
         round,
         row_number() over (partition by log, file_id, op, round order by start_s desc, rank) as place
  from collective_entry
),
waited as (
  select c.log,
         c.file_id,
         c.op,
         c.round,
         sum(least(c.end_s, a.last_s) - c.start_s) as wait_s
  from collective_entry as c
  join arrival as a
    on a.log = c.log
    and a.file_id = c.file_id
    and a.op = c.op
    and a.round = c.round
  group by c.log, c.file_id, c.op, c.round
),
last_of as (
  select e.log,
         e.file_id,
         e.op,
         e.rank,
         count(*)      as rounds,
         sum(w.wait_s) as wait_s
  from entered as e
  join waited as w
    on w.log = e.log
    and w.file_id = e.file_id
    and w.op = e.op
    and w.round = e.round
  where e.place = 1
  group by e.log, e.file_id, e.op, e.rank
),
latest as (
  select log,
         file_id,
         op,
         rank,
         rounds,
         row_number() over (partition by log, file_id, op order by wait_s desc, rank) as place
  from last_of
),
of_rank as (
  select c.log,
         c.file_id,
         c.op,
         c.rank,
         count(*)                                  as rounds,
         sum(least(c.end_s, a.last_s) - c.start_s) as wait_s,
         sum(greatest(c.end_s - a.last_s, 0.0))    as exchange_s
  from collective_entry as c
  join arrival as a
    on a.log = c.log
    and a.file_id = c.file_id
    and a.op = c.op
    and a.round = c.round
  group by c.log, c.file_id, c.op, c.rank
)
select w.log,
       w.file_id,
       w.op,
       count(*)           as ranks,
       max(w.rounds)      as rounds,
       min(w.wait_s)      as least_s,
       avg(w.wait_s)      as mean_s,
       max(w.wait_s)      as most_s,
       max(w.exchange_s)  as exchange_s,
       max(latest.rank)   as late_rank,
       max(latest.rounds) as late_rounds
from of_rank as w
join latest
  on latest.log = w.log
  and latest.file_id = w.file_id
  and latest.op = w.op
  and latest.place = 1
group by w.log, w.file_id, w.op
having count(*) > 1
  and min(w.rounds) = max(w.rounds)
