-- How MPI-IO was used in each file: collective, independent, non-blocking.
--
-- rows: one row per log, file and direction with at least one request
-- needs: mpiio
-- log               | i32 | log     | number of the log in this analysis
-- file_id           | u64 | file_id | joins with `file`
-- op                | str | name    | read or write
-- calls             | i64 | calls   | requests of all kinds
-- independent_calls | i64 | calls   | independent requests | not recorded
-- collective_calls  | i64 | calls   | collective requests, split ones included; one per rank | not recorded
-- nonblocking_calls | i64 | calls   | non-blocking requests | not recorded
-- collective_ratio  | f64 | 1       | collective_calls over calls | not recorded
-- bytes             | i64 | bytes   | bytes moved | not recorded
-- mean_bytes        | f64 | bytes   | bytes per request | not recorded
-- time_s            | f64 | s       | time in the requests, summed over ranks | not recorded
-- is_shared         | bool | flag   | more than one rank used the file
select log,
       file_id,
       op,
       independent + collective + nonblocking as calls,
       independent                            as independent_calls,
       collective                             as collective_calls,
       nonblocking                            as nonblocking_calls,
       ratio(collective, independent + collective + nonblocking) as collective_ratio,
       bytes,
       ratio(bytes, independent + collective + nonblocking)      as mean_bytes,
       time_s,
       lowest_rank < 0 or records > 1         as is_shared
from (
  select log,
         file_id,
         'read'                       as op,
         sum(indep_reads)             as independent,
         sum(coll_reads + split_reads) as collective,
         sum(nb_reads)                as nonblocking,
         sum(bytes_read)              as bytes,
         sum(recorded_time(f_read_time)) as time_s,
         min(rank)                    as lowest_rank,
         count(*)                     as records
  from mpiio
  group by log, file_id
  union all
  select log,
         file_id,
         'write'                        as op,
         sum(indep_writes)              as independent,
         sum(coll_writes + split_writes) as collective,
         sum(nb_writes)                 as nonblocking,
         sum(bytes_written)             as bytes,
         sum(recorded_time(f_write_time)) as time_s,
         min(rank)                      as lowest_rank,
         count(*)                       as records
  from mpiio
  group by log, file_id
) as m
where independent + collective + nonblocking > 0
