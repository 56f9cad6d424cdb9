-- What became of the requests of MPI-IO on their way to POSIX, file by file.
--
-- Fewer and larger POSIX requests: collective buffering worked. More bytes
-- below than above: data sieving, or read-modify-write.
--
-- rows: one row per log, file that both layers saw, and direction in which it was used
-- needs: file_layer
-- log                 | i32 | log     | number of the log in this analysis
-- file_id             | u64 | file_id | joins with `file`
-- op                  | str | name    | read or write
-- mpiio_calls         | i64 | calls   | MPI-IO requests | not recorded
-- mpiio_bytes         | i64 | bytes   | bytes asked of MPI-IO | not recorded
-- posix_calls         | i64 | calls   | POSIX requests | not recorded
-- posix_bytes         | i64 | bytes   | bytes asked of POSIX | not recorded
-- calls_ratio         | f64 | 1       | POSIX requests per MPI-IO request | no MPI-IO request
-- amplification_ratio | f64 | 1       | POSIX bytes per MPI-IO byte | no MPI-IO byte
-- mpiio_s             | f64 | s       | time in MPI-IO, summed over ranks | not recorded
-- posix_s             | f64 | s       | time in POSIX, summed over ranks | not recorded
with used as (
  select log,
         file_id,
         layer,
         'read'     as op,
         reads      as calls,
         bytes_read as bytes,
         read_s     as time_s
  from file_layer
  union all
  select log,
         file_id,
         layer,
         'write'       as op,
         writes        as calls,
         bytes_written as bytes,
         write_s       as time_s
  from file_layer
)
select m.log,
       m.file_id,
       m.op,
       m.calls                 as mpiio_calls,
       m.bytes                 as mpiio_bytes,
       p.calls                 as posix_calls,
       p.bytes                 as posix_bytes,
       ratio(p.calls, m.calls) as calls_ratio,
       ratio(p.bytes, m.bytes) as amplification_ratio,
       m.time_s                as mpiio_s,
       p.time_s                as posix_s
from used as m
join used as p
  on p.log = m.log
  and p.file_id = m.file_id
  and p.op = m.op
where m.layer = 'mpiio'
  and p.layer = 'posix'
  and m.calls + p.calls > 0
