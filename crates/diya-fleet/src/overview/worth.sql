-- The jobs whose page is worth a look: those with the largest estimated saving.
select path
from job
order by coalesce(nprocs, 1) * coalesce(recoverable_s, 0.0) desc,
         coalesce(nprocs, 1) * coalesce(io_time_s, 0.0) desc,
         path
limit $most
