-- The numbers of a job summary: files, bytes, time per process, span, performance estimate
select * from job_summary order by log, layer
