-- Whether a version of the recording library goes with slower metadata or I/O.
--
-- Each run is held against the median of the equal runs (same program, processes and bytes
-- to a power of two) that were recorded by other versions. Libraries are often updated
-- together: the version stands for the environment of the day.
--
-- number: 26
-- needs: job
-- picture: table
-- param: min_runs | 20 | runs | fewer runs of a version prove nothing
-- param: slow_ratio | 1.5 | 1 | less is between two days of one system
-- system          | str  | name | system
-- library_version | str  | name | version
-- runs            | i64  | runs | runs with equal runs of other versions
-- io_ratio        | f64  | 1    | I/O time over that of the others: medians, geometric mean over kinds of runs
-- metadata_ratio  | f64  | 1    | the same of metadata time | no metadata times
-- is_slow         | bool | flag | at least min_runs, and one of the two above slow_ratio
with run as (
  select system,
         behaviour,
         library_version,
         io_time_s,
         case when metadata_s > 0 then metadata_s end as metadata_s
  from job
  where behaviour is not null
    and library_version is not null
    and io_time_s > 0
),
of_version as (
  select system,
         behaviour,
         library_version,
         count(*)                    as runs,
         percentile(io_time_s, 0.5)  as io_s,
         percentile(metadata_s, 0.5) as metadata_s
  from run
  group by system, behaviour, library_version
),
compared as (
  select a.system,
         a.library_version,
         a.behaviour,
         max(a.runs)                                              as runs,
         max(a.io_s)                                              as io_s,
         max(a.metadata_s)                                        as metadata_s,
         ratio(sum(b.io_s * b.runs), sum(b.runs))                 as other_io_s,
         ratio(sum(b.metadata_s * b.runs), sum(case when b.metadata_s is not null then b.runs end)) as other_metadata_s
  from of_version as a
  join of_version as b
    on b.system = a.system
    and b.behaviour = a.behaviour
    and b.library_version <> a.library_version
  group by a.system, a.library_version, a.behaviour
),
judged as (
  select system,
         library_version,
         sum(runs)                                                              as runs,
         exp(ratio(sum(ln(ratio(io_s, other_io_s)) * runs), sum(runs)))         as io_ratio,
         exp(ratio(sum(ln(ratio(metadata_s, other_metadata_s)) * runs),
                   sum(case when metadata_s > 0 and other_metadata_s > 0 then runs end))) as metadata_ratio
  from compared
  group by system, library_version
)
select system,
       library_version,
       runs,
       io_ratio,
       metadata_ratio,
       coalesce(runs >= $min_runs and (io_ratio > $slow_ratio or metadata_ratio > $slow_ratio), false) as is_slow
from judged
order by system, library_version
