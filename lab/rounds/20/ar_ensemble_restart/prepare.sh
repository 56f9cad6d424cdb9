#!/bin/sh
cat > ensemble.nml <<X
&ensemble
 nx = 160, ny = 160, nz = ${2:-10}, nmem = ${1:-24}, inflation = 1.08
/
X
