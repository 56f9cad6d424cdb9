-- Calls of each kind in each layer: the operation counts of a job summary.
--
-- Kinds that a layer does not have, or that no record holds, have no row; a
-- kind that was recorded and never called has 0. Split and non-blocking calls
-- are kinds of their own; `collective_read` is without split ones.
--
-- rows: one row per log, layer and kind of call that the layer records
-- needs: posix, mpiio, stdio, hdf5_dataset, hdf5_file, pnetcdf_var, pnetcdf_file
-- log   | i32 | log   | number of the log in this analysis
-- layer | str | name  | as in `call`
-- kind  | str | name  | open, read, write, stat, seek, mmap, sync, flush, ...; in MPI-IO and PnetCDF with independent_, collective_, split_ or nonblocking_ before read and write
-- calls | i64 | calls | calls of all ranks
select log,
       'posix' as layer,
       kind,
       case kind
         when 'open' then open_calls
         when 'read' then read_calls
         when 'write' then write_calls
         when 'seek' then seek_calls
         when 'stat' then stat_calls
         when 'mmap' then mmap_calls
         when 'sync' then sync_calls
         when 'datasync' then datasync_calls
         when 'dup' then dup_calls
         when 'rename' then rename_calls
       end as calls
from (
  select log,
         sum(opens) as open_calls,
         sum(reads) as read_calls,
         sum(writes) as write_calls,
         sum(seeks) as seek_calls,
         sum(stats) as stat_calls,
         sum(mmaps) as mmap_calls,
         sum(fsyncs) as sync_calls,
         sum(fdsyncs) as datasync_calls,
         sum(dups) as dup_calls,
         sum(rename_sources) as rename_calls
  from posix
  group by log
) as sums
cross join (values ('open'), ('read'), ('write'), ('seek'), ('stat'), ('mmap'), ('sync'), ('datasync'), ('dup'), ('rename')) as kinds(kind)
where case kind
         when 'open' then open_calls
         when 'read' then read_calls
         when 'write' then write_calls
         when 'seek' then seek_calls
         when 'stat' then stat_calls
         when 'mmap' then mmap_calls
         when 'sync' then sync_calls
         when 'datasync' then datasync_calls
         when 'dup' then dup_calls
         when 'rename' then rename_calls
       end is not null
union all
select log,
       'mpiio' as layer,
       kind,
       case kind
         when 'independent_open' then independent_open_calls
         when 'collective_open' then collective_open_calls
         when 'independent_read' then independent_read_calls
         when 'independent_write' then independent_write_calls
         when 'collective_read' then collective_read_calls
         when 'collective_write' then collective_write_calls
         when 'split_read' then split_read_calls
         when 'split_write' then split_write_calls
         when 'nonblocking_read' then nonblocking_read_calls
         when 'nonblocking_write' then nonblocking_write_calls
         when 'sync' then sync_calls
         when 'view' then view_calls
         when 'hints' then hints_calls
       end as calls
from (
  select log,
         sum(indep_opens) as independent_open_calls,
         sum(coll_opens) as collective_open_calls,
         sum(indep_reads) as independent_read_calls,
         sum(indep_writes) as independent_write_calls,
         sum(coll_reads) as collective_read_calls,
         sum(coll_writes) as collective_write_calls,
         sum(split_reads) as split_read_calls,
         sum(split_writes) as split_write_calls,
         sum(nb_reads) as nonblocking_read_calls,
         sum(nb_writes) as nonblocking_write_calls,
         sum(syncs) as sync_calls,
         sum(views) as view_calls,
         sum(hints) as hints_calls
  from mpiio
  group by log
) as sums
cross join (values ('independent_open'), ('collective_open'), ('independent_read'), ('independent_write'), ('collective_read'), ('collective_write'), ('split_read'), ('split_write'), ('nonblocking_read'), ('nonblocking_write'), ('sync'), ('view'), ('hints')) as kinds(kind)
where case kind
         when 'independent_open' then independent_open_calls
         when 'collective_open' then collective_open_calls
         when 'independent_read' then independent_read_calls
         when 'independent_write' then independent_write_calls
         when 'collective_read' then collective_read_calls
         when 'collective_write' then collective_write_calls
         when 'split_read' then split_read_calls
         when 'split_write' then split_write_calls
         when 'nonblocking_read' then nonblocking_read_calls
         when 'nonblocking_write' then nonblocking_write_calls
         when 'sync' then sync_calls
         when 'view' then view_calls
         when 'hints' then hints_calls
       end is not null
union all
select log,
       'stdio' as layer,
       kind,
       case kind
         when 'open' then open_calls
         when 'read' then read_calls
         when 'write' then write_calls
         when 'seek' then seek_calls
         when 'flush' then flush_calls
       end as calls
from (
  select log,
         sum(opens) as open_calls,
         sum(reads) as read_calls,
         sum(writes) as write_calls,
         sum(seeks) as seek_calls,
         sum(flushes) as flush_calls
  from stdio
  group by log
) as sums
cross join (values ('open'), ('read'), ('write'), ('seek'), ('flush')) as kinds(kind)
where case kind
         when 'open' then open_calls
         when 'read' then read_calls
         when 'write' then write_calls
         when 'seek' then seek_calls
         when 'flush' then flush_calls
       end is not null
union all
select log,
       'hdf5_file' as layer,
       kind,
       case kind
         when 'open' then open_calls
         when 'flush' then flush_calls
       end as calls
from (
  select log,
         sum(opens) as open_calls,
         sum(flushes) as flush_calls
  from hdf5_file
  group by log
) as sums
cross join (values ('open'), ('flush')) as kinds(kind)
where case kind
         when 'open' then open_calls
         when 'flush' then flush_calls
       end is not null
union all
select log,
       'hdf5_dataset' as layer,
       kind,
       case kind
         when 'open' then open_calls
         when 'read' then read_calls
         when 'write' then write_calls
         when 'flush' then flush_calls
       end as calls
from (
  select log,
         sum(opens) as open_calls,
         sum(reads) as read_calls,
         sum(writes) as write_calls,
         sum(flushes) as flush_calls
  from hdf5_dataset
  group by log
) as sums
cross join (values ('open'), ('read'), ('write'), ('flush')) as kinds(kind)
where case kind
         when 'open' then open_calls
         when 'read' then read_calls
         when 'write' then write_calls
         when 'flush' then flush_calls
       end is not null
union all
select log,
       'pnetcdf_file' as layer,
       kind,
       case kind
         when 'sync' then sync_calls
       end as calls
from (
  select log,
         sum(syncs) as sync_calls
  from pnetcdf_file
  group by log
) as sums
cross join (values ('sync')) as kinds(kind)
where case kind
         when 'sync' then sync_calls
       end is not null
union all
select log,
       'pnetcdf_var' as layer,
       kind,
       case kind
         when 'open' then open_calls
         when 'independent_read' then independent_read_calls
         when 'independent_write' then independent_write_calls
         when 'collective_read' then collective_read_calls
         when 'collective_write' then collective_write_calls
         when 'nonblocking_read' then nonblocking_read_calls
         when 'nonblocking_write' then nonblocking_write_calls
       end as calls
from (
  select log,
         sum(opens) as open_calls,
         sum(indep_reads) as independent_read_calls,
         sum(indep_writes) as independent_write_calls,
         sum(coll_reads) as collective_read_calls,
         sum(coll_writes) as collective_write_calls,
         sum(nb_reads) as nonblocking_read_calls,
         sum(nb_writes) as nonblocking_write_calls
  from pnetcdf_var
  group by log
) as sums
cross join (values ('open'), ('independent_read'), ('independent_write'), ('collective_read'), ('collective_write'), ('nonblocking_read'), ('nonblocking_write')) as kinds(kind)
where case kind
         when 'open' then open_calls
         when 'independent_read' then independent_read_calls
         when 'independent_write' then independent_write_calls
         when 'collective_read' then collective_read_calls
         when 'collective_write' then collective_write_calls
         when 'nonblocking_read' then nonblocking_read_calls
         when 'nonblocking_write' then nonblocking_write_calls
       end is not null
