-- Calls that move data of datasets in several pieces, and what they take, by HDF5 file.
--
-- A dataset that is read or written once or twice is moved whole: there is nothing to join.
-- The time is that of HDF5 calls, with what the library does itself and the calls below.
--
-- rows: one row per log, file and rank with such calls
-- needs: hdf5_dataset
-- log     | i32 | log     | number of the log in this analysis
-- file_id | u64 | file_id | the file that holds the datasets; joins with `file`
-- rank    | i32 | rank    | rank; -1: datasets that all ranks used
-- calls   | i64 | calls   | reads and writes of datasets
-- bytes   | i64 | bytes   | bytes in them
-- time_s  | f64 | s       | time in them; where rank is -1, of the slowest rank of each dataset at most, summed | not recorded
select log,
       file_rec_id                     as file_id,
       rank,
       sum(reads + writes)             as calls,
       sum(bytes_read + bytes_written) as bytes,
       sum(recorded_time(case when rank < 0 then least(f_read_time + f_write_time, f_slowest_rank_time)
                              else f_read_time + f_write_time end)) as time_s
from hdf5_dataset
where file_rec_id is not null
  and (reads > 2 or writes > 2)
group by log, file_rec_id, rank
