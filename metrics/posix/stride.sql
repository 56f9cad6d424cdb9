-- Strided requests of each file, from counters: requests that keep the same
-- distance to the one before.
--
-- Darshan keeps the four most frequent strides of each record and measures a
-- stride from the end of one request to the start of the next; 0 are
-- consecutive ones and left out here. Strides that are never among the four
-- are missing, so strided_calls is a lower bound. `file_pattern` is exact
-- where single calls were recorded.
-- Source: POSIX_STRIDE1..4 of Darshan 3.5.0.
--
-- rows: one row per log and file with at least one request
-- needs: posix
-- log           | i32 | log     | number of the log in this analysis
-- file_id       | u64 | file_id | joins with `file`
-- transfers     | i64 | calls   | reads and writes
-- strided_calls | i64 | calls   | requests at one of the most frequent strides other than 0, at least | not recorded
-- strided_ratio | f64 | 1       | their share | not recorded
-- stride_bytes  | i64 | bytes   | the most frequent of these strides | not recorded, or there is none
-- stride_calls  | i64 | calls   | requests at it | not recorded, or there is none
with strides as (
  select log,
         file_id,
         stride1_stride as stride,
         stride1_count  as calls
  from posix
  union all
  select log,
         file_id,
         stride2_stride as stride,
         stride2_count  as calls
  from posix
  union all
  select log,
         file_id,
         stride3_stride as stride,
         stride3_count  as calls
  from posix
  union all
  select log,
         file_id,
         stride4_stride as stride,
         stride4_count  as calls
  from posix
),
by_stride as (
  select log,
         file_id,
         stride,
         calls,
         row_number() over (partition by log, file_id order by calls desc, stride) as position
  from (
    select log,
           file_id,
           stride,
           sum(calls) as calls
    from strides
    where stride <> 0
      and calls > 0
    group by log, file_id, stride
  ) as summed
),
best as (
  select log,
         file_id,
         sum(calls)                                   as strided_calls,
         max(case when position = 1 then stride end)  as stride_bytes,
         max(case when position = 1 then calls end)   as stride_calls
  from by_stride
  group by log, file_id
)
select p.log,
       p.file_id,
       p.transfers,
       case when p.recorded > 0 then coalesce(best.strided_calls, 0) end as strided_calls,
       case when p.recorded > 0 then ratio(coalesce(best.strided_calls, 0), p.transfers) end as strided_ratio,
       best.stride_bytes,
       best.stride_calls
from (
  select log,
         file_id,
         sum(reads + writes)    as transfers,
         count(stride1_count)   as recorded
  from posix
  group by log, file_id
) as p
left join best
  on best.log = p.log
  and best.file_id = p.file_id
where p.transfers > 0
