"""Starts a program once for each of two ranks of a node, with the environment of torchrun.

as_torchrun.py COMMAND...
"""

import os
import subprocess
import sys

RANKS = 2

if __name__ == "__main__":
    shared = {
        "WORLD_SIZE": RANKS,
        "LOCAL_WORLD_SIZE": RANKS,
        "GROUP_RANK": 0,
        "ROLE_NAME": "default",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": 29500,
        "TORCHELASTIC_RUN_ID": "run",
        "TORCHELASTIC_RESTART_COUNT": 0,
    }
    ranks = []
    for rank in range(RANKS):
        names = {**shared, "RANK": rank, "LOCAL_RANK": rank}
        environment = {name: str(value) for name, value in names.items()}
        ranks.append(subprocess.Popen(sys.argv[1:], env={**os.environ, **environment}))
    sys.exit(max(rank.wait() for rank in ranks))
