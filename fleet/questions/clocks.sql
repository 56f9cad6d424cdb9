-- Which logs have times that contradict each other, so that their speeds mean nothing.
--
-- number: 27
-- needs: job
-- picture: table
-- param: min_skew_s | 60 | s | Darshan adds a second, and clocks of nodes differ by less
-- param: most | 100 | rows | the users with the most such logs
-- system     | str | name | system
-- user_name  | str | name | user
-- program    | str | name | program
-- jobs       | i64 | jobs | jobs whose last call is after their end, or whose end is before their start
-- longest_s  | f64 | s    | the largest contradiction
-- first_start | timestamp | time | start of the first of them
-- last_start  | timestamp | time | start of the last of them
-- example    | str | path | log of one of them
select system,
       coalesce(user_name, cast(uid as varchar), 'not recorded') as user_name,
       coalesce(program, 'not recorded') as program,
       count(*)          as jobs,
       max(clock_skew_s) as longest_s,
       min(start_time)   as first_start,
       max(start_time)   as last_start,
       min(path)         as example
from job
where clock_skew_s >= $min_skew_s
group by system,
         coalesce(user_name, cast(uid as varchar), 'not recorded'),
         coalesce(program, 'not recorded')
order by jobs desc, system, user_name, program
limit $most
