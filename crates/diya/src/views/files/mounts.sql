-- Bytes and time per file system
select * from mount_load order by log, mount, layer
