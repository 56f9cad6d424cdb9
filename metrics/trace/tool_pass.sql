-- Files that installed programs (grep, gzip, awk) work through, each from its own process.
--
-- A process counts where most of what it reads comes from the file, and where it reads at least half as much of
-- it as the one that reads most. Processes
-- with the number of a rank of MPI, whose reads are counted with those of the rank, do not.
--
-- rows: one row per log, program and file that more than one process of the program read
-- needs: process
-- also: posix, stdio, file, installed_program
-- log      | i32 | log       | number of the log in this analysis
-- file_id  | u64 | file_id   | joins with `file`
-- tool     | str | name      | the program | its path is not known
-- rank     | i32 | rank      | the first of the processes, as in the other tables
-- passes   | i64 | processes | processes of the program that read the file
-- pass_bytes | i64 | bytes   | what the one that reads most reads
-- worked_s | f64 | s         | processor time of all of them, beyond 2 ms for the start of each | not known
-- longest_s | f64 | s        | of it, that of the one with the most | not known
with tools as (
  select process.log,
         process.rank,
         base_name(max(i.exe)) as tool,
         sum(greatest(process.user_s + process.system_s - 0.002, 0.0)) as worked_s,
         max(coalesce(process.kernel_read_bytes, 0)) as kernel_bytes
  from process
  join installed_program as i
    on i.log = process.log
    and i.rank = process.rank
  where process.mpi_size is null
  group by process.log, process.rank
),
moved as (
  select log, file_id, rank, bytes_read from posix where bytes_read > 0
  union all
  select log, file_id, rank, bytes_read from stdio where bytes_read > 0
),
reads as (
  select moved.log,
         moved.file_id,
         moved.rank,
         tools.tool,
         tools.worked_s,
         tools.kernel_bytes,
         sum(moved.bytes_read) as read_bytes
  from moved
  join tools
    on tools.log = moved.log
    and tools.rank = moved.rank
  join file -- not what the loader and the locale read
    on file.log = moved.log
    and file.file_id = moved.file_id
    and file.kind = 'file'
  group by moved.log, moved.file_id, moved.rank, tools.tool, tools.worked_s, tools.kernel_bytes
),
mains as ( -- what a process works for, it reads most of
  select log,
         file_id,
         rank,
         tool,
         worked_s,
         read_bytes,
         row_number() over (partition by log, rank order by read_bytes desc, file_id) as place
  from reads
  where 2 * read_bytes >= kernel_bytes -- the rest comes from a pipe
),
largest as (
  select log,
         file_id,
         tool,
         max(read_bytes) as pass_bytes
  from mains
  where place = 1
  group by log, file_id, tool
)
select mains.log,
       mains.file_id,
       mains.tool,
       min(mains.rank)         as rank,
       count(*)                as passes,
       max(largest.pass_bytes) as pass_bytes,
       sum(mains.worked_s)     as worked_s,
       max(mains.worked_s)     as longest_s
from mains
join largest
  on largest.log = mains.log
  and largest.file_id = mains.file_id
  and largest.tool = mains.tool
where mains.place = 1
  and 2.0 * mains.read_bytes >= largest.pass_bytes
group by mains.log, mains.file_id, mains.tool
having count(*) > 1
order by mains.log, mains.file_id, mains.tool
