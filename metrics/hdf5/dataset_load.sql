-- Datasets of each HDF5 file, and what their calls take a rank.
--
-- The time is that of HDF5 calls, with what the library does itself and the calls below.
--
-- rows: one row per log, file and rank with calls on its datasets
-- needs: hdf5_dataset
-- log      | i32 | log     | number of the log in this analysis
-- file_id  | u64 | file_id | the file that holds the datasets; joins with `file`
-- rank     | i32 | rank    | rank; -1: datasets that all ranks used
-- datasets | i64 | 1       | datasets
-- bytes    | i64 | bytes   | size of these datasets, as far as they were moved: of each the larger of bytes read and bytes written
-- time_s   | f64 | s       | time in these calls; where rank is -1, of the slowest rank of each dataset, summed | not recorded
select log,
       file_rec_id                     as file_id,
       rank,
       count(*)                        as datasets,
       sum(greatest(bytes_read, bytes_written)) as bytes,
       sum(recorded_time(case when rank < 0 then f_slowest_rank_time else f_read_time + f_write_time + f_meta_time end)) as time_s
from hdf5_dataset
where file_rec_id is not null
group by log, file_rec_id, rank
