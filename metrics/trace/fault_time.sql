-- Accesses to mapped files that waited for a device or a server, over time.
--
-- The run is cut into 512 bins. Recorded are the major faults of the threads that mapped
-- a file, where the system permits it.
--
-- rows: one row per log and bin with such a fault
-- needs: page_fault, job
-- requires: page_fault
-- log     | i32 | log    | number of the log in this analysis
-- start_s | f64 | s      | start of the bin, since the start of the job
-- end_s   | f64 | s      | end of the bin
-- faults  | i64 | faults | major faults in it, of all processes
-- files   | i64 | files  | files that they were on
with placed as (
  select f.log,
         f.file_id,
         job.run_time_s,
         least(floor(ratio(f.time_s * 512, job.run_time_s)), 511) as bin
  from page_fault as f
  join job
    on job.log = f.log
  where job.run_time_s > 0
    and f.time_s >= 0
)
select log,
       ratio(bin * run_time_s, 512)       as start_s,
       ratio((bin + 1) * run_time_s, 512) as end_s,
       count(*)                           as faults,
       count(distinct file_id)            as files
from placed
group by log, bin, run_time_s
