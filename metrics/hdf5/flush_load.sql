-- Flushes of each HDF5 file, and what they take: the library's own work included.
--
-- Recordings of our own time each flush. Darshan has one time for all calls on the file,
-- and when opens and closes began and ended. Where each rank opened the file once, the
-- rest is the time of the flushes; elsewhere flush_s is that of opens and closes as well.
--
-- rows: one row per log and file with a record of HDF5
-- needs: hdf5_file
-- also: op_count
-- log      | i32 | log     | number of the log in this analysis
-- file_id  | u64 | file_id | joins with `file`
-- flushes  | i64 | calls   | flushes of all ranks
-- opens    | i64 | calls   | opens of all ranks, at least 1
-- flush_s  | f64 | s       | time in flushes of the slowest rank | not recorded
-- is_exact | bool | flag   | flush_s holds no opens and closes
with timed as (
  select log,
         file_id,
         max(time_s) as flush_s
  from (
    select log,
           file_id,
           rank,
           sum(time_s) as time_s
    from op_count
    where layer = 'hdf5_file'
      and op = 'flush'
    group by log, file_id, rank
  ) as ranks
  group by log, file_id
),
recorded as (
  select log,
         file_id,
         sum(flushes)             as flushes,
         greatest(sum(opens), 1)  as opens,
         max(ratio(recorded_time(f_meta_time), case when rank < 0 then greatest(opens, 1) else 1 end)) as meta_s,
         -- without the time in which the rank opened and closed the file
         max(greatest(recorded_time(f_meta_time)
           - (f_open_end_timestamp - f_open_start_timestamp)
           - (f_close_end_timestamp - f_close_start_timestamp), 0.0)) as rest_s,
         max(case when rank < 0 then 2 else opens end) as most_opens -- of all ranks: not known
  from hdf5_file
  group by log, file_id
)
select r.log,
       r.file_id,
       r.flushes,
       r.opens,
       coalesce(t.flush_s, case when r.most_opens <= 1 then r.rest_s end, r.meta_s) as flush_s,
       t.flush_s is not null
         or coalesce(r.most_opens <= 1 and r.rest_s is not null, false) as is_exact
from recorded as r
left join timed as t
  on t.log = r.log
  and t.file_id = r.file_id
where r.flushes is not null
