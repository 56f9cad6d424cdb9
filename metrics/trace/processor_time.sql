-- How many processors the program's own code uses, over time, by samples.
--
-- The run is cut into 256 bins. Each sample stands for processor time in the
-- program's own code, not in the kernel, and counts in the bin in which it was taken. Needs a
-- recording with call stacks (`diya run --stacks`) on a system that permits samples.
--
-- rows: one row per log and bin in which a sample was taken
-- needs: processor_sample, job
-- requires: processor_sample
-- log        | i32 | log        | number of the log in this analysis
-- start_s    | f64 | s          | start of the bin, since the start of the job
-- end_s      | f64 | s          | end of the bin
-- processors | f64 | processors | processor time of the samples of all processes, over the length of the bin
select log,
       bin * width_s                    as start_s,
       (bin + 1) * width_s              as end_s,
       ratio(sum(weight_s), width_s)    as processors
from (
  select p.log,
         p.weight_s,
         job.run_time_s * 0.00390625                       as width_s,
         floor(ratio(p.time_s * 256.0, job.run_time_s))    as bin
  from processor_sample as p
  join job
    on job.log = p.log
  where job.run_time_s > 0.0
    and p.time_s >= 0.0
    and p.time_s < job.run_time_s
) as sampled
group by log, bin, width_s
