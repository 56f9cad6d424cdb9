-- Files that were mapped into memory: how much of them, and how much was touched.
--
-- Bytes are those of whole pages, added up over mappings: a page that two processes touch
-- counts twice. Nothing of it is in the bytes of reads and writes.
--
-- rows: one row per log and file that was mapped
-- needs: mapping
-- requires: mapping
-- log            | i32 | log       | number of the log in this analysis
-- file_id        | u64 | file_id   | joins with `file`
-- mappings       | i64 | mappings  | how often it was mapped
-- processes      | i64 | processes | processes that mapped it
-- mapped_bytes   | i64 | bytes     | bytes that the mappings cover
-- end_bytes      | i64 | bytes     | where in the file the last of them ends
-- touched_bytes  | i64 | bytes     | bytes of the pages that these processes touched, with those that the kernel mapped around them; at least, where not all of its mappings were looked through | not known
-- resident_bytes | i64 | bytes     | bytes of the pages that were in memory when mappings ended, whoever brought them; at least, likewise | not known
-- waits          | i64 | faults    | recorded accesses that waited for a device | not recorded
select log,
       file_id,
       count(*)                as mappings,
       count(distinct process) as processes,
       sum(size_bytes)         as mapped_bytes,
       max(offset_bytes + size_bytes) as end_bytes,
       sum(touched_bytes)      as touched_bytes,
       sum(resident_bytes)     as resident_bytes,
       sum(faults_recorded)    as waits
from mapping
group by log, file_id
