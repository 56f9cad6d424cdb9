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
select m.log,
       m.file_id,
       'read'                              as op,
       m.reads                             as mpiio_calls,
       m.bytes_read                        as mpiio_bytes,
       p.reads                             as posix_calls,
       p.bytes_read                        as posix_bytes,
       ratio(p.reads, m.reads)             as calls_ratio,
       ratio(p.bytes_read, m.bytes_read)   as amplification_ratio,
       m.read_s                            as mpiio_s,
       p.read_s                            as posix_s
from file_layer as m
join file_layer as p
  on p.log = m.log
  and p.file_id = m.file_id
where m.layer = 'mpiio'
  and p.layer = 'posix'
  and m.reads + p.reads > 0
union all
select m.log,
       m.file_id,
       'write'                                 as op,
       m.writes                                as mpiio_calls,
       m.bytes_written                         as mpiio_bytes,
       p.writes                                as posix_calls,
       p.bytes_written                         as posix_bytes,
       ratio(p.writes, m.writes)               as calls_ratio,
       ratio(p.bytes_written, m.bytes_written) as amplification_ratio,
       m.write_s                               as mpiio_s,
       p.write_s                               as posix_s
from file_layer as m
join file_layer as p
  on p.log = m.log
  and p.file_id = m.file_id
where m.layer = 'mpiio'
  and p.layer = 'posix'
  and m.writes + p.writes > 0
