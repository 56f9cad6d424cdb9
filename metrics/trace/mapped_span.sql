-- When files were mapped into memory, and how much of each mapping was touched.
--
-- Loads and stores are no calls. Pages are touched where the process had them in its page
-- tables at the end: those that it accessed, and those that the kernel mapped around them.
-- Resident pages were in memory at the end, whoever brought them.
--
-- rows: one row per mapping
-- needs: mapping, job
-- requires: mapping
-- log            | i32  | log     | number of the log in this analysis
-- rank           | i32  | rank    | number of the process in all tables
-- file_id        | u64  | file_id | joins with `file`
-- start_s        | f64  | s       | when it was mapped, since the start of the job
-- end_s          | f64  | s       | when it was unmapped; the end of the run where the process ended with it
-- size_bytes     | i64  | bytes   | how much of the file it covers
-- touched_bytes  | i64  | bytes   | bytes of the pages that were touched | not known
-- resident_bytes | i64  | bytes   | bytes of the pages that were in memory at the end | not known
-- waits          | i64  | faults  | recorded accesses that waited for a device | not recorded
select m.log,
       m.rank,
       m.file_id,
       m.start_s,
       coalesce(m.end_s, job.run_time_s, m.start_s) as end_s,
       m.size_bytes,
       m.touched_bytes,
       m.resident_bytes,
       m.faults_recorded                            as waits
from mapping as m
join job
  on job.log = m.log
