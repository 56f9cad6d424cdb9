-- Small writes of which each waits for the disk.
--
-- Single writes hold the flags of their descriptor. In older recordings only opens do: there
-- these are the writes to files that were opened with the flag each time. Counters hold no
-- flags: there these are files of one process on a local disk whose writes take more than a fifth of a millisecond each
-- on average, at less than 20 MB/s and without a sync. Copying such a request into the
-- page cache takes a few µs.
--
-- rows: one row per log, file and rank that wrote to such a file
-- needs: posix, file
-- also: call
-- log         | i32 | log     | number of the log in this analysis
-- file_id     | u64 | file_id | joins with `file`
-- rank        | i32 | rank    | rank
-- write_calls | i64 | calls   | writes
-- bytes       | i64 | bytes   | bytes in them
-- write_s     | f64 | s       | time in them
-- is_flagged  | bool | flag   | the flag O_SYNC or O_DSYNC says so; else the time of the writes
with flagged as ( -- O_DSYNC is bit 12 on Linux (x86, arm64, power), and part of O_SYNC
  select log,
         file_id,
         rank,
         op,
         function,
         calls,
         size_bytes,
         busy_s,
         coalesce(floor(ratio(aux, 4096)) - 2.0 * floor(ratio(aux, 8192)) = 1.0, false) as is_flagged
  from call
  where layer = 'posix'
    and op in ('open', 'write')
    and error is null
    -- of asynchronous writes the number is a time
    and coalesce(function, '') not like 'aio%'
    and coalesce(function, '') not like 'io%'
),
opened as (
  select log,
         file_id
  from flagged
  group by log, file_id
  having sum(case when op = 'write' and is_flagged then 1 else 0 end) = 0
     and sum(case when op = 'open' then 1 else 0 end) > 0
     and sum(case when op = 'open' and not is_flagged then 1 else 0 end) = 0
),
traced as (
  select log
  from call
  where op = 'open'
  group by log
)
select c.log,
       c.file_id,
       c.rank,
       sum(c.calls)      as write_calls,
       sum(c.size_bytes) as bytes,
       sum(c.busy_s)     as write_s,
       true              as is_flagged
from flagged as c
left join opened
  on opened.log = c.log
  and opened.file_id = c.file_id
where c.op = 'write'
  and (c.is_flagged or opened.log is not null)
group by c.log, c.file_id, c.rank
union all
select p.log,
       p.file_id,
       p.rank,
       p.writes        as write_calls,
       p.bytes_written as bytes,
       recorded_time(p.f_write_time) as write_s,
       false           as is_flagged
from posix as p
join file
  on file.log = p.log
  and file.file_id = p.file_id
left join traced
  on traced.log = p.log
where traced.log is null
  and file.fs_type in ('ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'f2fs', 'zfs')
  and p.rank >= 0
  and coalesce(p.fsyncs, 0) + coalesce(p.fdsyncs, 0) = 0
  and recorded_time(p.f_write_time) > 0.0002 * p.writes
  and recorded_time(p.f_write_time) > ratio(p.bytes_written, 20000000)
