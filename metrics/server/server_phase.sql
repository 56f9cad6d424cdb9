-- Load of the storage servers during each I/O phase, beside what the job moved
-- in it.
--
-- A phase shorter than the samples' interval gets its part of the interval:
-- own_ratio then says little, and covered_ratio does not show it; compare
-- interval_s with the length of the phase.
--
-- question: How busy are the storage servers during each I/O phase?
-- rows: one row per log, layer, phase, name of a metric and direction that it says
-- needs: phase, server_interval
-- log           | i32 | log   | number of the log in this analysis
-- layer         | str | name  | layer, as in `phase`
-- phase         | i32 | index | number of the phase
-- name          | str | name  | name of the metric
-- op            | str | name  | read, write, or all where the name does not say
-- server_bytes  | f64 | bytes | bytes on the servers during the phase
-- own_bytes     | i64 | bytes | bytes that the job moved in it, through this layer
-- outside_bytes | f64 | bytes | bytes of others, at least
-- own_ratio     | f64 | 1     | own_bytes over server_bytes; above 1 a cache was at work | the servers saw none
-- interval_s    | f64 | s     | mean length of the intervals between samples
select log,
       layer,
       phase,
       name,
       op,
       server_bytes,
       own_bytes,
       greatest(server_bytes - own_bytes, 0.0) as outside_bytes,
       ratio(own_bytes, server_bytes)          as own_ratio,
       interval_s
from (
  select p.log,
         p.layer,
         p.phase,
         s.name,
         coalesce(s.op, 'all') as op,
         sum(s.per_s * (least(p.end_s, s.end_s) - greatest(p.start_s, s.start_s))) as server_bytes,
         max(case coalesce(s.op, 'all') when 'read' then p.bytes_read
                                        when 'write' then p.bytes_written
                                        else p.bytes_read + p.bytes_written end)   as own_bytes,
         avg(s.end_s - s.start_s) as interval_s
  from phase as p
  join server_interval as s
    on s.log = p.log
    and s.start_s < p.end_s
    and s.end_s > p.start_s
  where s.unit in ('bytes', 'bytes/s')
    and s.per_s is not null
  group by p.log, p.layer, p.phase, s.name, coalesce(s.op, 'all')
) as of_phase
