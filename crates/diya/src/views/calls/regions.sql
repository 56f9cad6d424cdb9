-- Calls inside the regions, steps and epochs that the program named; the most time in calls first
select log, category, name, number, regions, region_s, layer, calls, read_bytes, written_bytes, io_s,
       ratio(io_s, region_s) as io_ratio
from region_io
order by log, io_s desc, region_s desc
