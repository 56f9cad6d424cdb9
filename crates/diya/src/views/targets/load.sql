-- Bytes and time of each storage target (OST), requests split at stripe edges; from single calls and the layout
select log, ost_id, sum(bytes) as bytes, sum(case when op = 'read' then bytes else 0 end) as bytes_read,
       sum(case when op = 'write' then bytes else 0 end) as bytes_written, sum(calls) as calls, sum(time_s) as time_s,
       max(files) as files, max(ranks) as ranks
from target_load
group by log, ost_id
order by log, bytes desc, ost_id
