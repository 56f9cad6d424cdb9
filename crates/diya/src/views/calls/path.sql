-- Seconds of the run that each kind of call takes on the critical path
select * from critical_path order by log, layer, class
