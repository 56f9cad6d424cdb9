-- Files by the time spent in them
select l.log, f.path, l.layer, l.sharing, l.ranks, l.opens, l.reads, l.writes, l.bytes_read, l.bytes_written, l.size_bytes,
       l.read_s, l.write_s, l.metadata_s, l.slowest_s, l.bandwidth_bytes_per_s
from file_layer as l join file as f on f.log = l.log and f.file_id = l.file_id
order by l.log, l.time_s desc, f.path, l.layer
