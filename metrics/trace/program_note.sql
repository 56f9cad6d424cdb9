-- What a program, or a library in it, said of itself with `diya_note`: blockio why it reads and
-- writes as it does.
--
-- rows: one row per log and text
-- needs: region
-- requires: region
-- log     | i32 | log   | number of the log in this analysis
-- note    | str | text  | the text
-- times   | i64 | notes | how often it was said, all processes together
-- first_s | f64 | s     | when first, since the start of the job
select log,
       name         as note,
       count(*)     as times,
       min(start_s) as first_s
from region
where category = 'note'
group by log, name
