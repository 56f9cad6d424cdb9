-- The most frequent request sizes
select * from common_size order by log, layer, calls desc
