-- Calls, bytes, time and bandwidth of each layer and kind of call
select * from layer_op order by log, layer, op
