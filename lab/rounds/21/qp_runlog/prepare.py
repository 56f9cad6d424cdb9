import numpy as np
rng = np.random.default_rng(8)
np.savetxt("old.hist", rng.uniform(-1, 1, 300000), fmt="%.10f")
open("quantiles.sh", "w").write("""\
# quantiles 5, 25, 50, 75, 95 of the plaquette
{ awk '!/^#/ {print $2}' "$1"; cat "$2"; } | LC_ALL=C sort -g --parallel=1 |
  awk '{v[NR] = $1} END {split("5 25 50 75 95", p, " "); for (i = 1; i <= 5; i++) print v[int(NR * p[i] / 100)]}'
""")
