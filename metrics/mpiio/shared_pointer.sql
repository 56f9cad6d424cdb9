-- Files that are used through a shared file pointer, and what the pointer costs.
--
-- ROMIO keeps the pointer in a hidden file beside the data, .NAME.shfp.NUMBER, which each call
-- reads and writes. A recording names the functions. In a Darshan log the hidden file is the sign: of
-- a file that has one, all calls count, and its writes are the calls with the pointer.
--
-- rows: one row per log and file that is used through a shared file pointer
-- needs: job
-- also: op_count, file, posix, mpiio
-- log          | i32 | log     | number of the log in this analysis
-- file_id      | u64 | file_id | joins with `file`
-- shared_calls | i64 | calls   | calls that use the pointer
-- ranks        | i64 | ranks   | ranks that make them
-- moved_bytes  | i64 | bytes   | bytes that they move | not recorded
-- slowest_s    | f64 | s       | time of the slowest rank in them | not recorded
-- pointer_s    | f64 | s       | what each rank spends in the hidden file, at least | not recorded
with named as (
  select log,
         file_id,
         rank,
         sum(calls)  as calls,
         sum(bytes)  as bytes,
         sum(time_s) as time_s
  from op_count
  where layer = 'mpiio'
    and op in ('read', 'write')
    and (strpos(lower(function), '_shared') > 0 or strpos(lower(function), '_ordered') > 0)
  group by log, file_id, rank
),
hidden_rank as (
  select o.log,
         o.rank,
         sum(o.time_s) as time_s
  from op_count as o
  join file
    on file.log = o.log
    and file.file_id = o.file_id
  where o.layer = 'posix'
    and strpos(file.path, '.shfp.') > 0
  group by o.log, o.rank
),
hidden as (
  select log,
         count(*)    as ranks,
         min(time_s) as every_s
  from hidden_rank
  group by log
),
files as (
  select log,
         file_id,
         sum(calls)  as calls,
         count(*)    as ranks,
         sum(bytes)  as bytes,
         max(time_s) as slowest_s
  from named
  group by log, file_id
),
total as (
  select log,
         sum(calls) as calls
  from files
  group by log
),
beside as ( -- the name of the data in that of the hidden file
  select log,
         file_id,
         substr(path, 1, strpos(path, '.shfp.') - 1) as path
  from file
  where strpos(path, '.shfp.') > 0
),
counted as (
  select p.log,
         concat(substr(b.path, 1, length(b.path) - length(base_name(b.path))), substr(base_name(b.path), 2)) as path,
         sum(p.writes)                      as calls,
         sum(recorded_time(p.f_read_time) + recorded_time(p.f_write_time)) as time_s
  from beside as b
  join posix as p
    on p.log = b.log
    and p.file_id = b.file_id
  where p.log not in (select log from named)
  group by p.log, b.path
)
select f.log,
       f.file_id,
       f.calls     as shared_calls,
       f.ranks,
       f.bytes     as moved_bytes,
       f.slowest_s,
       case when hidden.ranks >= job.nprocs then hidden.every_s * ratio(f.calls, total.calls) end as pointer_s
from files as f
join total
  on total.log = f.log
join job
  on job.log = f.log
left join hidden
  on hidden.log = f.log
union all
select m.log,
       m.file_id,
       max(c.calls) as shared_calls,
       max(job.nprocs) as ranks,
       sum(m.bytes_read + m.bytes_written) as moved_bytes,
       max(rank_time(m.rank, m.f_read_time + m.f_write_time, m.f_read_time + m.f_write_time + m.f_meta_time, m.f_slowest_rank_time)) as slowest_s,
       ratio(max(c.time_s), max(job.nprocs)) as pointer_s
from counted as c
join file
  on file.log = c.log
  and file.path = c.path
join mpiio as m
  on m.log = file.log
  and m.file_id = file.file_id
join job
  on job.log = c.log
where c.calls > 0
group by m.log, m.file_id
