-- Requests of each file by size, and between which bounds their time lies.
--
-- From counters, which hold calls per bin and one time for all of them. Where
-- a record has requests of one bin only, all its time is theirs: that is the
-- low bound; the high one adds the whole time of records with several bins.
-- `file_size_time` has the exact times where single calls were recorded.
--
-- rows: one row per log, file, layer, direction and bin with at least one call
-- needs: size_histogram, file_use
-- log           | i32 | log     | number of the log in this analysis
-- file_id       | u64 | file_id | joins with `file`
-- layer         | str | name    | as in `size_histogram`
-- op            | str | name    | read or write
-- size_lo_bytes | i64 | bytes   | smallest size of the bin
-- size_hi_bytes | i64 | bytes   | largest size of the bin | the bin has no upper end
-- calls         | i64 | calls   | requests in the bin
-- calls_ratio   | f64 | 1       | share of the requests of this file, layer and direction
-- time_low_s    | f64 | s       | time in these requests at least, summed over ranks | the layer does not record times
-- time_high_s   | f64 | s       | the same at most | the layer does not record times
with each_record as (
  select log,
         file_id,
         rank,
         layer,
         op,
         sum(calls) as calls,
         count(*)   as bins
  from size_histogram
  group by log, file_id, rank, layer, op
)
select h.log,
       h.file_id,
       h.layer,
       h.op,
       h.size_lo_bytes,
       h.size_hi_bytes,
       sum(h.calls) as calls,
       ratio(sum(h.calls), sum(sum(h.calls)) over (partition by h.log, h.file_id, h.layer, h.op)) as calls_ratio,
       sum(case when r.bins = 1 then u.time_s else u.time_s * 0 end) as time_low_s,
       sum(u.time_s) as time_high_s
from size_histogram as h
join each_record as r
  on r.log = h.log
  and r.file_id = h.file_id
  and r.rank = h.rank
  and r.layer = h.layer
  and r.op = h.op
left join (
  select log,
         file_id,
         rank,
         layer,
         'read' as op,
         read_s as time_s
  from file_use
  union all
  select log,
         file_id,
         rank,
         layer,
         'write' as op,
         write_s as time_s
  from file_use
) as u
  on u.log = h.log
  and u.file_id = h.file_id
  and u.rank = h.rank
  and u.layer = h.layer
  and u.op = h.op
group by h.log, h.file_id, h.layer, h.op, h.size_lo_bytes, h.size_hi_bytes
