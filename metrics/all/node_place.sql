-- Where each node of the job stands in the machine.
--
-- Only with a topology file (`--topology`): no log says so.
--
-- rows: one row per log and node that the log names and the topology file knows
-- needs: topology
-- log           | i32 | log  | number of the log in this analysis
-- host          | str | name | node, as the log names it
-- switch        | str | name | leaf switch the node hangs on | the file does not say
-- parent_switch | str | name | switch above it | the file does not say, or there is none
-- enclosure     | str | name | chassis or rack the node stands in | the file does not say
select log,
       host,
       switch,
       parent_switch,
       enclosure
from topology
