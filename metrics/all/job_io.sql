-- How much of a job is I/O.
--
-- io_high_s is the time of the slowest rank as counters give it: too long
-- where different ranks are slowest in different shared files, since counters
-- do not say so. io_low_s is what an average rank spends, or the slowest rank
-- in its own files alone, whichever is longer. The truth lies between.
-- With several threads a rank's time in calls can exceed the run time.
--
-- rows: one row per log
-- needs: job, rank_io
-- log             | i32 | log       | number of the log in this analysis
-- nprocs          | i64 | processes | MPI processes of the job | not recorded
-- run_s           | f64 | s         | run time of the job | not recorded
-- bytes           | i64 | bytes     | bytes moved; 0 when no record says that any was
-- io_low_s        | f64 | s         | time in I/O on the slowest rank, at least
-- io_high_s       | f64 | s         | time in I/O on the slowest rank, at most; the run time where that is shorter
-- io_low_ratio    | f64 | 1         | io_low_s over the run time | the run time is not recorded
-- io_high_ratio   | f64 | 1         | io_high_s over the run time | the run time is not recorded
-- summed_s        | f64 | s         | time in I/O, summed over ranks
-- metadata_ratio  | f64 | 1         | share of summed_s in metadata calls | no time in I/O
-- own_ranks       | i64 | ranks     | ranks with files of their own
-- own_slowest_s   | f64 | s         | most time that a rank spent in files of its own | no rank has any
-- own_median_s    | f64 | s         | time of the middle one of these ranks | no rank has any
-- own_mean_s      | f64 | s         | mean over all processes of the time in files of their own | no rank has any, or nprocs is not recorded
-- own_lost_s      | f64 | s         | own_slowest_s - own_mean_s: what perfect balance would save | as own_mean_s
-- imbalance_ratio | f64 | 1         | own_slowest_s over own_mean_s, 1 when all are alike | as own_mean_s, or no time
select job.log,
       job.nprocs,
       job.run_time_s as run_s,
       coalesce(r.bytes, 0) as bytes,
       least(greatest(coalesce(ratio(r.summed_s, job.nprocs), 0), coalesce(r.own_slowest_s, 0)),
             coalesce(r.own_slowest_s, 0) + coalesce(r.shared_s, 0),
             coalesce(job.run_time_s, 1e300)) as io_low_s,
       least(coalesce(r.own_slowest_s, 0) + coalesce(r.shared_s, 0),
             coalesce(job.run_time_s, 1e300)) as io_high_s,
       ratio(least(greatest(coalesce(ratio(r.summed_s, job.nprocs), 0), coalesce(r.own_slowest_s, 0)),
                   coalesce(r.own_slowest_s, 0) + coalesce(r.shared_s, 0),
                   job.run_time_s), job.run_time_s) as io_low_ratio,
       ratio(least(coalesce(r.own_slowest_s, 0) + coalesce(r.shared_s, 0),
                   job.run_time_s), job.run_time_s) as io_high_ratio,
       coalesce(r.summed_s, 0) as summed_s,
       ratio(r.metadata_s, r.summed_s) as metadata_ratio,
       coalesce(r.own_ranks, 0) as own_ranks,
       r.own_slowest_s,
       r.own_median_s,
       ratio(r.own_summed_s, job.nprocs) as own_mean_s,
       r.own_slowest_s - ratio(r.own_summed_s, job.nprocs) as own_lost_s,
       ratio(r.own_slowest_s, ratio(r.own_summed_s, job.nprocs)) as imbalance_ratio
from job
left join (
  select log,
         sum(bytes)                                      as bytes,
         sum(summed_s)                                   as summed_s,
         sum(metadata_s)                                 as metadata_s,
         sum(case when rank < 0 then io_s end)           as shared_s,
         sum(case when rank >= 0 then 1 else 0 end)      as own_ranks,
         max(case when rank >= 0 then io_s end)          as own_slowest_s,
         median(case when rank >= 0 then io_s end)       as own_median_s,
         sum(case when rank >= 0 then io_s end)          as own_summed_s
  from rank_io
  group by log
) as r
  on r.log = job.log
