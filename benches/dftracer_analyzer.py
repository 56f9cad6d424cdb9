"""Loads a folder of traces as DFTracer's analyzer does before it analyses: for traces.py.

    PYTHON benches/dftracer_analyzer.py FOLDER [start]

With ``start`` it only starts and ends, which is the same for every trace.
"""

import os
import sys

os.environ.setdefault("USER", "nobody")  # its settings want one

from dftracer.analyzer import init_with_hydra  # noqa: E402

if __name__ == "__main__":
    folder = sys.argv[1]
    words = ["analyzer=dftracer", "analyzer/preset=posix", "analyzer.checkpoint=False"]
    run = init_with_hydra([*words, f"trace_path={folder}", f"hydra.run.dir={folder}"])
    if sys.argv[2:] != ["start"]:
        print(len(run.analyzer.read_trace(folder, client=run.client).traces.compute()))
    run.shutdown()
