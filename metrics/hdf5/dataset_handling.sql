-- What is done between the calls on the datasets of an HDF5 file: by HDF5 in calls that are
-- not recorded (selections, types, properties), and by an interpreter around them.
--
-- From samples of the processor (`processor_work`). What the interpreter does may be for the
-- program, too: who counts it counts it up to the time of the calls.
--
-- rows: one row per log, file and rank whose processor was sampled between such calls
-- needs: hdf5_dataset, processor_work
-- log       | i32 | log     | number of the log in this analysis
-- file_id   | u64 | file_id | the file that holds the datasets; joins with `file`
-- rank      | i32 | rank    | rank
-- library_s | f64 | s       | in the code of HDF5 and of h5py
-- handled_s | f64 | s       | in an interpreter, and in other compiled wrappers of HDF5
with datasets as (
  select log,
         file_id,
         max(file_rec_id) as file_rec_id
  from hdf5_dataset
  where file_rec_id is not null
  group by log, file_id
)
select w.log,
       d.file_rec_id as file_id,
       w.rank,
       sum(case when w.kind = 'hdf5' then w.passed_s else 0.0 end)   as library_s,
       sum(case when w.kind = 'python' then w.passed_s else 0.0 end) as handled_s
from processor_work as w
join datasets as d
  on d.log = w.log
  and d.file_id = w.file_id
where w.place = 'between'
  and w.layer = 'hdf5_dataset'
  and w.kind in ('hdf5', 'python')
group by w.log, d.file_rec_id, w.rank
