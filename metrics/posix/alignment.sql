-- Requests that start where no block of the file system starts.
--
-- A request smaller than a block is unaligned nearly always: look at
-- `size_distribution` first. Memory alignment matters with O_DIRECT only.
--
-- rows: one row per log and file with at least one request
-- needs: posix
-- log                    | i32 | log     | number of the log in this analysis
-- file_id                | u64 | file_id | joins with `file`
-- transfers              | i64 | calls   | reads and writes
-- file_unaligned_calls   | i64 | calls   | requests whose offset is no multiple of file_alignment_bytes | not recorded
-- file_unaligned_ratio   | f64 | 1       | their share | not recorded
-- file_alignment_bytes   | i64 | bytes   | block or stripe size that was assumed | not recorded
-- memory_unaligned_calls | i64 | calls   | requests whose buffer is not aligned | not recorded
-- memory_unaligned_ratio | f64 | 1       | their share | not recorded
-- mean_bytes             | f64 | bytes   | bytes per request | not recorded
select log,
       file_id,
       transfers,
       file_unaligned_calls,
       ratio(file_unaligned_calls, transfers)   as file_unaligned_ratio,
       file_alignment_bytes,
       memory_unaligned_calls,
       ratio(memory_unaligned_calls, transfers) as memory_unaligned_ratio,
       ratio(bytes, transfers)                  as mean_bytes
from (
  select log,
         file_id,
         sum(reads + writes)             as transfers,
         sum(file_not_aligned)           as file_unaligned_calls,
         max(file_alignment)             as file_alignment_bytes,
         sum(mem_not_aligned)            as memory_unaligned_calls,
         sum(bytes_read + bytes_written) as bytes
  from posix
  group by log, file_id
) as p
where transfers > 0
