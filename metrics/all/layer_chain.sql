-- What became of the requests of each layer in the next lower one, file by
-- file: netcdf or HDF5 or PnetCDF -> MPI-IO -> POSIX.
--
-- Many small requests below few large ones above: the transfer fell apart,
-- as with independent access to a part of a dataset. Fewer and larger ones:
-- collective buffering. More bytes below: data sieving, read-modify-write,
-- chunks read whole, or metadata of the format. Fewer: a cache or compression.
-- unrequested_bytes are bytes that the lower layer moved in the other direction
-- while the upper layer did not: reads of data sieving below a file that was only
-- written.
--
-- rows: one row per log, file, direction and pair of neighbouring layers that moved data
-- needs: file_stack, aggregation
-- log                 | i32 | log     | number of the log in this analysis
-- file_id             | u64 | file_id | joins with `file`
-- op                  | str | name    | read or write
-- upper               | str | name    | upper layer
-- lower               | str | name    | lower layer
-- upper_calls         | i64 | calls   | requests of the upper layer
-- lower_calls         | i64 | calls   | requests of the lower layer
-- calls_ratio         | f64 | 1       | requests below per request above
-- upper_bytes         | i64 | bytes   | bytes asked of the upper layer | not recorded
-- lower_bytes         | i64 | bytes   | bytes asked of the lower layer | not recorded
-- amplification_ratio | f64 | 1       | bytes below per byte above | not recorded, or none above
-- upper_mean_bytes    | f64 | bytes   | bytes per request above | not recorded
-- lower_mean_bytes    | f64 | bytes   | bytes per request below | not recorded
-- unrequested_bytes   | i64 | bytes   | bytes that the lower layer moved in the other direction, where the upper one moved none | not recorded
-- upper_s             | f64 | s       | time in the upper layer, summed over ranks | not recorded
-- lower_s             | f64 | s       | time in the lower layer, summed over ranks | not recorded
-- upper_ranks         | i64 | ranks   | ranks that made requests of MPI-IO | the pair is not mpiio and posix, or single calls were not recorded
-- lower_ranks         | i64 | ranks   | ranks that made requests of POSIX: the aggregators, where there are fewer | as upper_ranks
-- unasked_bytes       | i64 | bytes   | old name of unrequested_bytes; gone in the next version | not recorded
with pairs as (
  select log,
         file_id,
         op,
         layer  as upper,
         calls  as upper_calls,
         bytes  as upper_bytes,
         time_s as upper_s,
         lead(layer) over deeper as lower,
         lead(calls) over deeper as lower_calls,
         lead(bytes) over deeper as lower_bytes,
         lead(time_s) over deeper as lower_s,
         depth,
         lead(depth) over deeper as lower_depth
  from file_stack
  window deeper as (partition by log, file_id, op order by depth, layer)
),
other as (
  select log,
         file_id,
         layer,
         sum(case when op = 'read' then bytes else 0 end)  as read_bytes,
         sum(case when op = 'write' then bytes else 0 end) as written_bytes
  from file_stack
  group by log, file_id, layer
)
select p.log,
       p.file_id,
       p.op,
       p.upper,
       p.lower,
       p.upper_calls,
       p.lower_calls,
       ratio(p.lower_calls, p.upper_calls) as calls_ratio,
       p.upper_bytes,
       p.lower_bytes,
       ratio(p.lower_bytes, p.upper_bytes) as amplification_ratio,
       ratio(p.upper_bytes, p.upper_calls) as upper_mean_bytes,
       ratio(p.lower_bytes, p.lower_calls) as lower_mean_bytes,
       case
         when p.op = 'write' and above.read_bytes = 0 then below.read_bytes
         when p.op = 'read' and above.written_bytes = 0 then below.written_bytes
         when above.read_bytes is not null then 0
       end                                 as unrequested_bytes,
       p.upper_s,
       p.lower_s,
       a.mpiio_ranks                       as upper_ranks,
       a.posix_ranks                       as lower_ranks,
       case
         when p.op = 'write' and above.read_bytes = 0 then below.read_bytes
         when p.op = 'read' and above.written_bytes = 0 then below.written_bytes
         when above.read_bytes is not null then 0
       end                                 as unasked_bytes
from pairs as p
join other as above
  on above.log = p.log
  and above.file_id = p.file_id
  and above.layer = p.upper
join other as below
  on below.log = p.log
  and below.file_id = p.file_id
  and below.layer = p.lower
left join aggregation as a
  on a.log = p.log
  and a.file_id = p.file_id
  and a.op = p.op
  and p.upper = 'mpiio'
  and p.lower = 'posix'
where p.lower_depth > p.depth
