-- How many files were used how: the file count summary
select * from file_count order by log, layer, kind
