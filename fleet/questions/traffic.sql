-- How many bytes are read and written, by month and kind of file system.
--
-- number: 2
-- needs: record
-- picture: bars x=month y=bytes_read,bytes_written by=mount_class
-- system        | str | name  | system
-- year          | i64 | year  | year of the start of the job
-- month         | i64 | month | month
-- mount_class   | str | name  | kind of file system, as in record
-- files         | i64 | files | files, once per job
-- bytes_read    | f64 | bytes | bytes read
-- bytes_written | f64 | bytes | bytes written
-- read_ratio    | f64 | 1     | part of the bytes that is read | no bytes
select system,
       year,
       month,
       mount_class,
       count(*)                                             as files,
       coalesce(sum(cast(bytes_read as double)), 0.0)       as bytes_read,
       coalesce(sum(cast(bytes_written as double)), 0.0)    as bytes_written,
       ratio(coalesce(sum(cast(bytes_read as double)), 0.0),
             coalesce(sum(cast(bytes_read as double)), 0.0)
               + coalesce(sum(cast(bytes_written as double)), 0.0)) as read_ratio
from record
group by system, year, month, mount_class
order by system, year, month, mount_class
