#!/bin/sh
cat > delay.nml <<X
&delay
 ntemp = 60, npres = 8, tlow = 900., thigh = 1300., plow = 10., phi = 0.8
/
X
