-- How much of the I/O time is metadata: opens, stats, seeks, syncs.
--
-- number: 12
-- needs: job
-- picture: bars x=interface y=median_ratio,p90_ratio
-- param: min_io_s | 1.0 | s | shorter I/O is mostly the opening of a few files
-- system           | str | name | system
-- interface        | str | name | highest layer that moved bytes
-- jobs             | i64 | jobs | jobs with at least min_io_s of I/O
-- median_ratio     | f64 | 1    | median part of metadata in the I/O time
-- p90_ratio        | f64 | 1    | one job in ten has more
-- mostly_metadata  | i64 | jobs | jobs whose I/O is metadata for more than half
-- metadata_core_hours | f64 | core-hours | time in metadata, summed over ranks
select system,
       coalesce(interface, 'none') as interface,
       count(*)                    as jobs,
       percentile(ratio(metadata_s, io_time_cumulative_s), 0.5) as median_ratio,
       percentile(ratio(metadata_s, io_time_cumulative_s), 0.9) as p90_ratio,
       sum(case when metadata_s > 0.5 * io_time_cumulative_s then 1 else 0 end) as mostly_metadata,
       ratio(sum(metadata_s), 3600.0) as metadata_core_hours
from job
where io_time_cumulative_s > $min_io_s
  and metadata_s is not null
group by system, coalesce(interface, 'none')
order by system, interface
