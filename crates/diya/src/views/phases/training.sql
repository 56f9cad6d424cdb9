-- Training: steps, epochs, and how long the consuming thread waits for data
select log, process, rank, source, steps, epochs, step_s, span_s, wait_s, wait_source, io_s, hidden_ratio,
       library, loader_processes, loader_threads, step_rate, lost_step_rate, sample_rate, lost_sample_rate
from training
order by log, process
