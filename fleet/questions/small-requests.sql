-- Which programs make small requests, and how much MPI-IO multiplies their bytes.
--
-- number: 11
-- needs: job
-- picture: table
-- param: most | 50 | programs | programs with the most small requests
-- program                   | str | name  | program
-- jobs                      | i64 | jobs  | jobs
-- requests                  | f64 | calls | POSIX reads and writes up to 1 MiB, and larger ones
-- small_ratio               | f64 | 1     | part of at most 1 MiB | no requests
-- tiny_ratio                | f64 | 1     | part of at most 10 KiB | no requests
-- read_amplification_ratio  | f64 | 1     | POSIX bytes per MPI-IO byte read, median of its jobs | no MPI-IO reads
-- write_amplification_ratio | f64 | 1     | POSIX bytes per MPI-IO byte written, median of its jobs | no MPI-IO writes
-- io_core_hours             | f64 | core-hours | processes times I/O time
select coalesce(program, 'not recorded') as program,
       count(*)                          as jobs,
       sum(cast(coalesce(reads, 0) as double) + coalesce(writes, 0)) as requests,
       ratio(sum(cast(coalesce(small_reads, 0) as double) + coalesce(small_writes, 0)), sum(cast(coalesce(reads, 0) as double) + coalesce(writes, 0))) as small_ratio,
       ratio(sum(cast(coalesce(tiny_reads, 0) as double) + coalesce(tiny_writes, 0)), sum(cast(coalesce(reads, 0) as double) + coalesce(writes, 0)))   as tiny_ratio,
       percentile(read_amplification_ratio, 0.5)  as read_amplification_ratio,
       percentile(write_amplification_ratio, 0.5) as write_amplification_ratio,
       ratio(sum(coalesce(io_time_s, 0.0) * coalesce(nprocs, 1)), 3600.0) as io_core_hours
from job
group by coalesce(program, 'not recorded')
order by sum(cast(coalesce(small_reads, 0) as double) + coalesce(small_writes, 0)) desc, program
limit $most
