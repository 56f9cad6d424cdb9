-- How much the kernel moves in one system call of a process: a stream without a buffer makes one for
-- every few characters.
--
-- rows: one row per log, rank and direction, where the kernel's counters were recorded
-- needs: job
-- also: process
-- log          | i32 | log   | number of the log in this analysis
-- rank         | i32 | rank  | the process, as in the other tables
-- op           | str | name  | read or write
-- kernel_calls | i64 | calls | system calls of this direction, of files, pipes and sockets
-- mean_bytes   | f64 | bytes | bytes that one of them moves on average | no calls
select p.log, p.rank, 'read' as op, p.kernel_reads as kernel_calls, ratio(p.kernel_read_bytes, p.kernel_reads) as mean_bytes
from job
join process as p on p.log = job.log
where p.kernel_reads is not null
union all
select p.log, p.rank, 'write' as op, p.kernel_writes as kernel_calls, ratio(p.kernel_written_bytes, p.kernel_writes) as mean_bytes
from job
join process as p on p.log = job.log
where p.kernel_writes is not null
