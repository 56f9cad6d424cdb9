-- Average I/O per process, by whether files are shared
select * from process_mean order by log, layer, sharing, op
