#!/bin/sh
cat > reef.nml <<X
&reef
 npatch = ${1:-120}, nday = ${2:-6}, every = ${3:-1}
/
X
