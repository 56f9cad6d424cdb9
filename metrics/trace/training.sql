-- A training in a few numbers: its steps, and what waiting for data costs.
--
-- Time is that of the consuming thread from the start of its first step to the end of the
-- last. loading_s is a sum over workers, which read side by side and ahead: it is no waiting
-- time. Without waits, the same steps take span_s - wait_s.
--
-- rows: one row per log and consuming process of `training_step`
-- needs: training_step, data_loader
-- requires: training_step
-- log              | i32 | log     | number of the log in this analysis
-- process          | i32 | process | the consuming process; joins with `process`
-- rank             | i32 | rank    | its number as in the other tables
-- source           | str | name    | annotation or period: how steps were recognised
-- steps            | i64 | steps   | steps
-- epochs           | i64 | epochs  | epochs with at least one step | nothing was read
-- step_s           | f64 | s       | middle length of a step
-- span_s           | f64 | s       | length of all steps
-- wait_s           | f64 | s       | part of it in which the consuming thread waits for data | not known
-- wait_source      | str | name    | annotation, samples, or calls (at least), as in `training_step` | not known
-- io_s             | f64 | s       | part of it with at least one thread in a call on data files
-- hidden_s         | f64 | s       | part of io_s beside computing: the consuming thread does not wait | not known
-- hidden_ratio     | f64 | 1       | hidden_s over io_s | not known, or no time was measured
-- library          | str | name    | library of the loader with the most bytes | none of the known ones
-- loader_processes | i64 | processes | processes that load for it
-- loader_threads   | i64 | threads | threads of these, and other threads of the process itself, that load
-- loading_s        | f64 | s       | time in calls on data files, summed over all threads
-- bytes            | i64 | bytes   | bytes of data that were read in the steps
-- step_rate      | f64 | 1/s     | steps over span_s
-- lost_step_rate | f64 | 1/s     | how many more there are without waits | the wait is not known, or all of the time
-- samples          | i64 | samples | data files that were opened in the steps, where there is one for two steps at least | samples are not files
-- sample_rate    | f64 | 1/s     | samples over span_s | samples are not files
-- lost_sample_rate | f64 | 1/s   | how many more there are without waits | samples are not files, or the wait is not known, or all of the time
with step as (
  select log,
         process,
         max(rank)                      as rank,
         max(source)                    as source,
         count(*)                       as steps,
         count(distinct epoch)          as epochs,
         median(end_s - start_s)        as step_s,
         sum(end_s - start_s)           as span_s,
         sum(wait_s)                    as wait_s,
         max(wait_source)               as wait_source,
         sum(io_s)                      as io_s,
         sum(hidden_s)                  as hidden_s,
         cast(sum(bytes) as bigint)     as bytes,
         cast(sum(opens) as bigint)     as opens
  from training_step
  group by log, process
),
loader as (
  select log,
         consumer,
         sum(case when kind = 'process' then 1 else 0 end)     as loader_processes,
         sum(case when kind = 'itself' then 0 else threads end) as loader_threads,
         sum(io_s)                                             as loading_s
  from data_loader
  group by log, consumer
),
named as (
  select log,
         consumer,
         library,
         row_number() over (partition by log, consumer order by sum(bytes) desc, library) as place
  from data_loader
  where library is not null
  group by log, consumer, library
)
select s.log,
       s.process,
       s.rank,
       s.source,
       s.steps,
       nullif(s.epochs, 0)                                          as epochs,
       s.step_s,
       s.span_s,
       s.wait_s,
       s.wait_source,
       s.io_s,
       s.hidden_s,
       ratio(s.hidden_s, s.io_s)                                    as hidden_ratio,
       n.library,
       coalesce(l.loader_processes, 0)                              as loader_processes,
       coalesce(l.loader_threads, 0)                                as loader_threads,
       coalesce(l.loading_s, 0.0)                                   as loading_s,
       s.bytes,
       ratio(s.steps, s.span_s)                                     as step_rate,
       ratio(s.steps, s.span_s - s.wait_s) - ratio(s.steps, s.span_s) as lost_step_rate,
       case when s.opens * 2 >= s.steps then s.opens end                as samples,
       case when s.opens * 2 >= s.steps then ratio(s.opens, s.span_s) end as sample_rate,
       case when s.opens * 2 >= s.steps
         then ratio(s.opens, s.span_s - s.wait_s) - ratio(s.opens, s.span_s)
       end                                                          as lost_sample_rate
from step as s
left join loader as l
  on l.log = s.log
  and l.consumer = s.process
left join named as n
  on n.log = s.log
  and n.consumer = s.process
  and n.place = 1
