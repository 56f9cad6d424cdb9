-- What each layer did in the whole job, and its speed by the slowest rank.
--
-- slowest_s is the estimate of darshan-parser and darshan-job-summary: the most
-- time that a rank spent in files of its own, plus, for each file of all
-- ranks, the time of the rank that was slowest there. Where different ranks
-- are slowest in different files, it is too long.
-- Source: darshan-logutils-accumulator.c of Darshan 3.5.0.
--
-- rows: one row per log and layer with records
-- needs: rank_layer, job
-- log                   | i32 | log     | number of the log in this analysis
-- layer                 | str | name    | as in `file_use`
-- bytes_read            | i64 | bytes   | bytes read | not recorded
-- bytes_written         | i64 | bytes   | bytes written | not recorded
-- reads                 | i64 | calls   | reads | not recorded
-- writes                | i64 | calls   | writes | not recorded
-- read_s                | f64 | s       | time in reads, summed over ranks | not recorded
-- write_s               | f64 | s       | time in writes, summed over ranks | not recorded
-- metadata_s            | f64 | s       | time in metadata calls, summed over ranks | not recorded
-- time_s                | f64 | s       | time in all of these | not recorded
-- metadata_ratio        | f64 | 1       | metadata_s over time_s | no time
-- process_s             | f64 | s       | time_s per process of the job | not recorded
-- shared_s              | f64 | s       | part of slowest_s in files of all ranks | no such file
-- slowest_rank          | i32 | rank    | rank with the most time in files of its own | no rank has files of its own
-- slowest_s             | f64 | s       | time by the slowest rank | not recorded
-- bandwidth_bytes_per_s | f64 | bytes/s | bytes over slowest_s: the performance estimate of darshan-job-summary | no time or no bytes
with own as (
  select log,
         layer,
         max(case when rank >= 0 then time_s end)   as own_s,
         sum(case when rank < 0 then slowest_s end) as shared_s,
         sum(bytes_read)                            as bytes_read,
         sum(bytes_written)                         as bytes_written,
         sum(reads)                                 as reads,
         sum(writes)                                as writes,
         sum(read_s)                                as read_s,
         sum(write_s)                               as write_s,
         sum(metadata_s)                            as metadata_s,
         sum(time_s)                                as time_s
  from rank_layer
  group by log, layer
),
slow as (
  select r.log,
         r.layer,
         min(r.rank) as slowest_rank
  from rank_layer as r
  join own as o
    on o.log = r.log
    and o.layer = r.layer
  where r.rank >= 0
    and r.time_s = o.own_s
  group by r.log, r.layer
)
select own.log,
       own.layer,
       own.bytes_read,
       own.bytes_written,
       own.reads,
       own.writes,
       own.read_s,
       own.write_s,
       own.metadata_s,
       own.time_s,
       ratio(own.metadata_s, own.time_s) as metadata_ratio,
       ratio(own.time_s, job.nprocs)     as process_s,
       own.shared_s,
       slow.slowest_rank,
       case when own.own_s is null then own.shared_s
            else own.own_s + coalesce(own.shared_s, 0) end as slowest_s,
       ratio(coalesce(own.bytes_read, 0) + coalesce(own.bytes_written, 0),
             coalesce(own.own_s, 0) + coalesce(own.shared_s, 0)) as bandwidth_bytes_per_s
from own
join job
  on job.log = own.log
left join slow
  on slow.log = own.log
  and slow.layer = own.layer
