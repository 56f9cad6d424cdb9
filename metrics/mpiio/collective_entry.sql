-- Collective reads and writes of MPI-IO, call by call, each with its round: the first call of each
-- rank on a file belongs to the first round, the second to the second.
--
-- rows: one row per collective call
-- needs: mpiio
-- also: call
-- log       | i32 | log     | number of the log in this analysis
-- file_id   | u64 | file_id | joins with `file`
-- op        | str | name    | read or write
-- rank      | i32 | rank    | rank that makes the call
-- round     | i64 | index   | its round, from 1
-- start_s   | f64 | s       | when it enters, since the start of the job
-- end_s     | f64 | s       | when it returns, since the start of the job
-- parent_id | u64 | id      | as in `call` | the program made the call itself
select log,
       file_id,
       op,
       rank,
       row_number() over (partition by log, file_id, op, rank order by start_s) as round,
       start_s,
       end_s,
       parent_id
from call
where layer = 'mpiio'
  and op in ('read', 'write')
  and is_collective
  and log in (select log from mpiio)
