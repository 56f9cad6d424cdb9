-- From the first to the last access of each record, as each layer that moves
-- data counts it: what `access_span` adds up by rank.
--
-- rows: one row per log, file and rank with a record of the layer
-- needs: posix, mpiio, stdio, hdf5_dataset, pnetcdf_var
-- log           | i32 | log     | number of the log in this analysis
-- file_id       | u64 | file_id | joins with `file`
-- rank          | i32 | rank    | rank; -1: the record of all ranks
-- layer         | str | name    | as in `call`
-- read_first_s  | f64 | s       | start of the first read, since the start of the job | no read, or not recorded
-- read_last_s   | f64 | s       | end of the last read | as read_first_s
-- write_first_s | f64 | s       | start of the first write, since the start of the job | no write, or not recorded
-- write_last_s  | f64 | s       | end of the last write | as write_first_s
select log,
       file_id,
       rank,
       'posix' as layer,
       f_read_start_timestamp  as read_first_s,
       f_read_end_timestamp    as read_last_s,
       f_write_start_timestamp as write_first_s,
       f_write_end_timestamp   as write_last_s
from posix
union all
select log,
       file_id,
       rank,
       'mpiio' as layer,
       f_read_start_timestamp  as read_first_s,
       f_read_end_timestamp    as read_last_s,
       f_write_start_timestamp as write_first_s,
       f_write_end_timestamp   as write_last_s
from mpiio
union all
select log,
       file_id,
       rank,
       'stdio' as layer,
       f_read_start_timestamp  as read_first_s,
       f_read_end_timestamp    as read_last_s,
       f_write_start_timestamp as write_first_s,
       f_write_end_timestamp   as write_last_s
from stdio
union all
select log,
       file_id,
       rank,
       'hdf5_dataset' as layer,
       f_read_start_timestamp  as read_first_s,
       f_read_end_timestamp    as read_last_s,
       f_write_start_timestamp as write_first_s,
       f_write_end_timestamp   as write_last_s
from hdf5_dataset
union all
select log,
       file_id,
       rank,
       'pnetcdf_var' as layer,
       f_read_start_timestamp  as read_first_s,
       f_read_end_timestamp    as read_last_s,
       f_write_start_timestamp as write_first_s,
       f_write_end_timestamp   as write_last_s
from pnetcdf_var
