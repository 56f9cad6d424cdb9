-- What became of the files that were looked at, and one of the reasons.
select status,
       count(*)   as files,
       min(error) as example_error
from manifest
group by status
order by files desc, status
