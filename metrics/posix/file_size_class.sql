-- Files by size and use: how many there are of each kind, and what they cost.
--
-- The size is the highest offset touched + 1: a file of which only the
-- beginning was read is longer. Times are those of the slowest rank: of the
-- rank with most time in files of its own, plus the slowest of each shared
-- file. Files of C streams count, too, and those of the kernel (/proc, /sys, /dev) do not.
-- Modules of Python are a use of their own: nobody packs them like data.
--
-- rows: one row per log, use, sharing, stripe count and size class with at least one file
-- needs: opened_file, lustre_component
-- also: file_pause, op_count
-- log           | i32  | log     | number of the log in this analysis
-- used          | str  | name    | read_only, write_only, read_write, python_module (only read, and a module or of a package) or untouched
-- is_shared     | bool | flag    | more than one rank used them
-- stripes       | i64  | targets | stripe count of a plain Lustre layout | another file system, or a progressive layout
-- size_lo_bytes | i64  | bytes   | smallest size of the class: 0, 1, 64 Ki, 1 Mi, 16 Mi, 1 Gi
-- size_hi_bytes | i64  | bytes   | largest size of the class | no upper end
-- files         | i64  | files   | files
-- ranks         | i64  | ranks   | ranks with files of their own of this kind, at least 1
-- opens         | i64  | calls   | opens | not recorded
-- reads         | i64  | calls   | reads | not recorded
-- writes        | i64  | calls   | writes | not recorded
-- read_bytes    | i64  | bytes   | bytes read | not recorded
-- written_bytes | i64  | bytes   | bytes written | not recorded
-- largest_bytes | i64  | bytes   | size of the largest | not recorded
-- read_s        | f64  | s       | time in reads of the slowest rank | not recorded
-- write_s       | f64  | s       | time in writes of the slowest rank | not recorded
-- metadata_s    | f64  | s       | time in metadata calls of the slowest rank | not recorded
-- opening_s     | f64  | s       | part of metadata_s in opens and closes | counters only, or no opens
-- library_s     | f64  | s       | what packages of Python do with the files beside the calls of the slowest rank (`file_pause`)
-- size_bytes    | i64  | bytes   | sizes of all together | not recorded
with layout as (
  select log,
         file_id,
         max(stripe_count) as stripes
  from lustre_component
  group by log, file_id
  having max(component) = 0
),
opening as (
  select log,
         file_id,
         max(opening_s) as opening_s
  from (
    select log,
           file_id,
           rank,
           sum(time_s) as opening_s
    from op_count
    where layer in ('posix', 'stdio')
      and op in ('open', 'close')
    group by log, file_id, rank
  ) as of_rank
  group by log, file_id
),
handled as (
  select log,
         file_id,
         max(pause_s) as library_s
  from file_pause
  group by log, file_id
),
sized as (
  select f.log,
         f.owner_rank,
         f.is_shared,
         layout.stripes,
         case
           when f.read_bytes > 0 and f.written_bytes > 0 then 'read_write'
           when f.read_bytes > 0
             and (f.path like '%.py'
               or f.path like '%.pyc'
               or strpos(coalesce(f.path, ''), '/site-packages/') > 0
               or strpos(coalesce(f.path, ''), '/dist-packages/') > 0
               or strpos(coalesce(f.path, ''), '/lib/python') > 0
               or strpos(coalesce(f.path, ''), '/lib64/python') > 0) then 'python_module'
           when f.read_bytes > 0 then 'read_only'
           when f.written_bytes > 0 then 'write_only'
           else 'untouched'
         end as used,
         case when f.read_bytes > 0 or f.written_bytes > 0
              then greatest(f.read_extent_bytes, f.write_extent_bytes) else 0 end as size_bytes,
         f.opens,
         f.reads,
         f.writes,
         f.read_bytes,
         f.written_bytes,
         f.read_s,
         f.write_s,
         f.metadata_s,
         opening.opening_s,
         coalesce(handled.library_s, 0.0) as library_s
  from opened_file as f
  left join opening
    on opening.log = f.log
    and opening.file_id = f.file_id
  left join handled
    on handled.log = f.log
    and handled.file_id = f.file_id
  left join layout
    on layout.log = f.log
    and layout.file_id = f.file_id
  where coalesce(f.path, '') not like '/proc/%'
    and coalesce(f.path, '') not like '/sys/%'
    and (coalesce(f.path, '') not like '/dev/%' or f.path like '/dev/shm/%')
),
owned as (
  select log,
         used,
         is_shared,
         stripes,
         case
           when size_bytes < 1 then 0
           when size_bytes < 65536 then 1
           when size_bytes < 1048576 then 65536
           when size_bytes < 16777216 then 1048576
           when size_bytes < 1073741824 then 16777216
           else 1073741824
         end                as size_lo_bytes,
         owner_rank,
         count(*)           as files,
         sum(opens)         as opens,
         sum(reads)         as reads,
         sum(writes)        as writes,
         sum(read_bytes)    as read_bytes,
         sum(written_bytes) as written_bytes,
         max(size_bytes)    as largest_bytes,
         sum(size_bytes)    as size_bytes,
         sum(read_s)        as read_s,
         sum(write_s)       as write_s,
         sum(metadata_s)    as metadata_s,
         sum(opening_s)     as opening_s,
         sum(library_s)     as library_s
  from sized
  group by 1, 2, 3, 4, 5, 6
)
select log,
       used,
       is_shared,
       stripes,
       size_lo_bytes,
       case size_lo_bytes
         when 0 then 0
         when 1 then 65535
         when 65536 then 1048575
         when 1048576 then 16777215
         when 16777216 then 1073741823
       end                                                      as size_hi_bytes,
       sum(files)                                               as files,
       greatest(sum(case when owner_rank >= 0 then 1 else 0 end), 1) as ranks,
       sum(opens)                                               as opens,
       sum(reads)                                               as reads,
       sum(writes)                                              as writes,
       sum(read_bytes)                                          as read_bytes,
       sum(written_bytes)                                       as written_bytes,
       max(largest_bytes)                                       as largest_bytes,
       case when count(read_s) > 0
            then coalesce(max(case when owner_rank >= 0 then read_s end), 0)
              + coalesce(sum(case when owner_rank < 0 then read_s end), 0) end as read_s,
       case when count(write_s) > 0
            then coalesce(max(case when owner_rank >= 0 then write_s end), 0)
              + coalesce(sum(case when owner_rank < 0 then write_s end), 0) end as write_s,
       case when count(metadata_s) > 0
            then coalesce(max(case when owner_rank >= 0 then metadata_s end), 0)
              + coalesce(sum(case when owner_rank < 0 then metadata_s end), 0) end as metadata_s,
       case when count(opening_s) > 0
            then coalesce(max(case when owner_rank >= 0 then opening_s end), 0)
              + coalesce(sum(case when owner_rank < 0 then opening_s end), 0) end as opening_s,
       coalesce(max(case when owner_rank >= 0 then library_s end), 0)
         + coalesce(sum(case when owner_rank < 0 then library_s end), 0) as library_s,
       sum(size_bytes)                                          as size_bytes
from owned
group by log, used, is_shared, stripes, size_lo_bytes
