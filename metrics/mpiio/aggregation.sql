-- Which ranks carry the requests of MPI-IO to the file.
--
-- Fewer ranks in POSIX than in MPI-IO: aggregators of collective buffering, or
-- a file that only some ranks touch below. Their load is unequal by design.
--
-- rows: one row per log, file and direction that MPI-IO and POSIX both saw, call by call
-- needs: rank_spread
-- log                | i32  | log     | number of the log in this analysis
-- file_id            | u64  | file_id | joins with `file`
-- op                 | str  | name    | read or write
-- mpiio_ranks        | i64  | ranks   | ranks that made MPI-IO requests
-- posix_ranks        | i64  | ranks   | ranks that made POSIX requests: the aggregators, where there are any
-- is_aggregated      | bool | flag    | fewer ranks made POSIX requests
-- mpiio_mean_bytes   | f64  | bytes   | bytes per MPI-IO request | not recorded
-- posix_mean_bytes   | f64  | bytes   | bytes per POSIX request | not recorded
-- posix_top_rank     | i32  | rank    | rank that moved the most bytes in POSIX | not recorded
-- posix_top_ratio    | f64  | 1       | its share of the bytes | not recorded, or no byte was moved
-- posix_imbalance_ratio | f64 | 1     | its bytes over the mean of the POSIX ranks | not recorded, or no byte was moved
select m.log,
       m.file_id,
       m.op,
       m.ranks                 as mpiio_ranks,
       p.ranks                 as posix_ranks,
       p.ranks < m.ranks       as is_aggregated,
       ratio(m.bytes, m.calls) as mpiio_mean_bytes,
       ratio(p.bytes, p.calls) as posix_mean_bytes,
       p.top_rank              as posix_top_rank,
       p.top_ratio             as posix_top_ratio,
       p.bytes_imbalance_ratio as posix_imbalance_ratio
from rank_spread as m
join rank_spread as p
  on p.log = m.log
  and p.file_id = m.file_id
  and p.op = m.op
where m.layer = 'mpiio'
  and p.layer = 'posix'
