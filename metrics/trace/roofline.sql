-- Bandwidth of each I/O phase beside the highest that `diya calibrate` measured for requests of
-- its size: how far the phase is below the roof.
--
-- The roof is the one of `roof` at the next measured size above the mean
-- request of the phase (the largest one beyond it): one worker for a phase of one rank, several
-- for others. A phase can lie above it: caches, more ranks than workers, other nodes.
--
-- rows: one row per log and phase of POSIX that moved bytes
-- needs: phase, roof
-- log                   | i32 | log     | number of the log in this analysis
-- phase                 | i32 | index   | number of the phase, as in `phase` for layer posix
-- op                    | str | name    | what moved more bytes: read or write
-- ranks                 | i64 | ranks   | ranks that made calls
-- bytes                 | i64 | bytes   | bytes moved
-- request_bytes         | f64 | bytes   | bytes per call
-- bandwidth_bytes_per_s | f64 | bytes/s | as in `phase` | no time was measured
-- roof_bytes_per_s      | f64 | bytes/s | the highest that was measured | no machine profile was given, or it is of another file system
-- roof_ratio            | f64 | 1       | bandwidth over the roof | as before
with points as (
  select log,
         phase,
         case when bytes_read > bytes_written then 'read' else 'write' end as op,
         ranks,
         bytes_read + bytes_written                as bytes,
         ratio(bytes_read + bytes_written, calls)  as request_bytes,
         bandwidth_bytes_per_s
  from phase
  where layer = 'posix'
    and bytes_read + bytes_written > 0
),
fitting as (
  select p.log,
         p.phase,
         roof.bandwidth_bytes_per_s,
         row_number() over (
           partition by p.log, p.phase
           order by case when roof.request_bytes >= p.request_bytes then 0 else 1 end,
                    abs(roof.request_bytes - p.request_bytes)
         ) as place
  from points as p
  join roof
    on roof.log = p.log
    and roof.op = p.op
    and roof.is_together = (p.ranks > 1)
)
select p.log,
       p.phase,
       p.op,
       p.ranks,
       p.bytes,
       p.request_bytes,
       p.bandwidth_bytes_per_s,
       f.bandwidth_bytes_per_s                                as roof_bytes_per_s,
       ratio(p.bandwidth_bytes_per_s, f.bandwidth_bytes_per_s) as roof_ratio
from points as p
left join fitting as f
  on f.log = p.log
  and f.phase = p.phase
  and f.place = 1
