-- What one request costs on each file system: latency and bandwidth, fitted from the log
select * from request_cost order by log, mount, op
