-- Variance in shared files: fastest and slowest rank, as darshan-job-summary
-- has it, for files of all ranks and for files of some.
--
-- Files of all ranks have one record with these numbers; of files that some
-- ranks used they follow from the record of each. Ranks that never used the
-- file are in neither. A spread is a population standard deviation, as there.
--
-- rows: one row per log, file and layer of posix, mpiio or stdio that more than one rank used
-- needs: shared_file, file_use
-- log           | i32 | log     | number of the log in this analysis
-- file_id       | u64 | file_id | joins with `file`
-- layer         | str | name    | posix, mpiio or stdio
-- ranks         | i64 | ranks   | ranks that used it | all, and their number is not recorded
-- fastest_rank  | i64 | rank    | rank with the least time in calls | not recorded
-- fastest_s     | f64 | s       | its time | not recorded
-- fastest_bytes | i64 | bytes   | bytes it moved | not recorded
-- slowest_rank  | i64 | rank    | rank with the most time in calls | not recorded
-- slowest_s     | f64 | s       | its time | not recorded
-- slowest_bytes | i64 | bytes   | bytes it moved | not recorded
-- spread_s      | f64 | s       | standard deviation over ranks of the time | not recorded
-- spread_bytes  | f64 | bytes   | standard deviation over ranks of the bytes | not recorded
select log,
       file_id,
       layer,
       nprocs as ranks,
       fastest_rank,
       fastest_s,
       fastest_bytes,
       slowest_rank,
       slowest_s,
       slowest_bytes,
       spread_s,
       spread_bytes
from shared_file
union all
select log,
       file_id,
       layer,
       count(*)                                      as ranks,
       max(case when from_fastest = 1 then rank end)   as fastest_rank,
       max(case when from_fastest = 1 then time_s end) as fastest_s,
       max(case when from_fastest = 1 then bytes end)  as fastest_bytes,
       max(case when from_slowest = 1 then rank end)   as slowest_rank,
       max(case when from_slowest = 1 then time_s end) as slowest_s,
       max(case when from_slowest = 1 then bytes end)  as slowest_bytes,
       stddev_pop(time_s)                            as spread_s,
       stddev_pop(bytes)                             as spread_bytes
from (
  select own.log,
         own.file_id,
         own.layer,
         own.rank,
         own.time_s,
         own.bytes,
         row_number() over (partition by own.log, own.file_id, own.layer order by own.time_s, own.rank)      as from_fastest,
         row_number() over (partition by own.log, own.file_id, own.layer order by own.time_s desc, own.rank) as from_slowest
  from (
    select log,
           file_id,
           layer,
           rank,
           read_s + write_s + metadata_s as time_s,
           bytes_read + bytes_written    as bytes
    from file_use
    where rank >= 0
      and layer in ('posix', 'mpiio', 'stdio')
  ) as own
  join (
    select log,
           file_id,
           layer
    from file_use
    where rank >= 0
    group by log, file_id, layer
    having count(*) > 1
  ) as several
    on several.log = own.log
    and several.file_id = own.file_id
    and several.layer = own.layer
) as placed
group by log, file_id, layer
