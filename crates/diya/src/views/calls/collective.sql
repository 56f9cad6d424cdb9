-- How MPI-IO was used in each file: collective, independent, non-blocking
select f.path, c.* from collective_share as c join file as f on f.log = c.log and f.file_id = c.file_id
order by c.log, c.time_s desc
