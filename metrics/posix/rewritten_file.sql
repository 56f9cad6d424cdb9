-- Files whose bytes are written again, with what goes along: opens, cuts, renewals.
--
-- rows: one row per log and file of which bytes are written again
-- needs: reread, opened_file, file_renewal
-- log           | i32 | log     | number of the log in this analysis
-- file_id       | u64 | file_id | joins with `file`
-- written_bytes | i64 | bytes   | bytes written | not known
-- extent_bytes  | i64 | bytes   | different bytes, at most | not known
-- again_bytes   | i64 | bytes   | bytes written again, at least | not known
-- times_written | f64 | 1       | how often each byte is written, mean | not known
-- again_share   | f64 | 1       | share of the written bytes that is written again | not known
-- ranks         | i64 | ranks   | ranks that use the file | not recorded
-- opens         | i64 | calls   | opens of all ranks | not recorded
-- syncs         | i64 | calls   | syncs of all ranks | not recorded
-- cuts          | i64 | calls   | how often the file is cut | not recorded
-- cut_s         | f64 | s       | time in these calls | not recorded
-- removals      | i64 | calls   | how often the name is removed or renamed | not recorded
-- write_s       | f64 | s       | time in writes of the slowest rank | not recorded
-- metadata_s    | f64 | s       | time in opens, closes and other metadata calls of the slowest rank | not recorded
select reread.log,
       reread.file_id,
       reread.bytes                                as written_bytes,
       reread.extent_bytes,
       reread.again_low_bytes                      as again_bytes,
       reread.again_ratio                          as times_written,
       ratio(reread.again_low_bytes, reread.bytes) as again_share,
       f.ranks,
       f.opens,
       f.syncs,
       cut.cuts,
       cut.cut_s,
       cut.removals,
       f.write_s,
       f.metadata_s
from reread
join opened_file as f
  on f.log = reread.log
  and f.file_id = reread.file_id
left join file_renewal as cut
  on cut.log = reread.log
  and cut.file_id = reread.file_id
where reread.op = 'write'
