-- From the first to the last access
select * from access_span order by log, layer, op
