-- Files by the time spent in them
select l.log, f.path, l.layer, l.read_s, l.write_s, l.metadata_s, l.slowest_s, l.reads, l.writes, l.bytes_read, l.bytes_written,
       l.ranks, l.opens, l.sharing, l.size_bytes, l.bandwidth_bytes_per_s,
       m.touched_bytes as mapped_touched_bytes, m.resident_bytes as mapped_resident_bytes
from file_layer as l
join file as f
  on f.log = l.log and f.file_id = l.file_id
left join mapped_file as m
  on m.log = l.log and m.file_id = l.file_id and l.layer = 'posix'
order by l.log, l.time_s desc, f.path, l.layer
