-- How regularly the job comes back to read and write: period with confidence, by spectral analysis
select * from period order by log, layer, op
