-- Whether ranks open a file for direct requests (O_DIRECT), and what became of that.
--
-- 16384 is O_DIRECT: a recording has the numbers of x86-64, wherever it is made.
--
-- rows: one row per log, file and rank that tried to open the file with O_DIRECT
-- needs: call
-- log            | i32 | log     | number of the log in this analysis
-- file_id        | u64 | file_id | joins with `file`
-- rank           | i32 | rank    | rank
-- direct_opens   | i64 | calls   | opens with O_DIRECT that succeeded
-- refused_opens  | i64 | calls   | opens with O_DIRECT that the file system refused (EINVAL)
-- buffered_opens | i64 | calls   | opens without it that succeeded
select log,
       file_id,
       rank,
       sum(case when (aux & 16384) = 16384 and error is null then calls else 0 end)     as direct_opens,
       sum(case when (aux & 16384) = 16384 and error = 'EINVAL' then calls else 0 end)  as refused_opens,
       sum(case when (aux & 16384) <> 16384 and error is null then calls else 0 end)    as buffered_opens
from call
where layer = 'posix'
  and op = 'open'
  and aux is not null
group by log, file_id, rank
having sum(case when (aux & 16384) = 16384 then calls else 0 end) > 0
