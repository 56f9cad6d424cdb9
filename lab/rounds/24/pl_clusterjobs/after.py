"""Small workflow runner: rules in dependency order, each job handed to a submit command.

Structure after the generic cluster executor of Snakemake: a job script is written, submitted,
and leaves a marker `jobfinished` or `jobfailed` that the runner looks for.
usage: clusterjobs.py --workdir .flow SAMPLE...
"""
import argparse
import os
import shutil
import subprocess
import sys

JOBSCRIPT = """#!/bin/sh
# job {name}
( {command} ) && touch {base}.jobfinished || touch {base}.jobfailed
"""


class Job:
    def __init__(self, name, command, inputs, output):
        self.name, self.command = name, command
        self.inputs, self.output = inputs, output


class ClusterExecutor:
    def __init__(self, workdir, submit):
        self.workdir, self.submit = workdir, submit
        self.children = []
        os.makedirs(workdir, exist_ok=True)

    def run(self, job):
        base = os.path.join(self.workdir, job.name)
        for end in (".jobfinished", ".jobfailed"):
            if os.path.exists(base + end):
                os.remove(base + end)
        script = base + ".sh"
        with open(script, "w") as out:
            out.write(JOBSCRIPT.format(name=job.name, command=job.command, base=base))
        self.children.append(subprocess.Popen([*self.submit, script]))
        return base

    def wait(self, base):
        self.children[-1].wait()            # the submit command ends with the job
        return os.path.exists(base + ".jobfinished")

    def close(self):
        for child in self.children:
            child.wait()


def make_jobs(samples):
    jobs = []
    for s in samples:
        jobs.append(Job(f"norm_{s}", f"awk '{{ t += $2; n[NR] = $1; v[NR] = $2 }} END {{ for (i = 1; i <= NR; i++) "
                        f"printf \"%s %.3f\\n\", n[i], v[i] * 1e6 / t }}' {s}.counts.txt > {s}.cpm",
                        [f"{s}.counts.txt"], f"{s}.cpm"))
    jobs.append(Job("merge", "paste -d' ' " + " ".join(f"{s}.cpm" for s in samples)
                    + " | awk '{ m = 0; for (i = 2; i <= NF; i += 2) m += $i; printf \"%s %.3f\\n\", $1, 2 * m / NF }'"
                    " > mean.cpm", [f"{s}.cpm" for s in samples], "mean.cpm"))
    jobs.append(Job("top", "LC_ALL=C sort -k2,2gr -k1,1 mean.cpm | head -n 20 > top20.txt", ["mean.cpm"], "top20.txt"))
    return jobs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workdir", default=".flow")
    parser.add_argument("--submit", default="sh")
    parser.add_argument("samples", nargs="+")
    options = parser.parse_args()
    executor = ClusterExecutor(options.workdir, options.submit.split())
    for job in make_jobs(options.samples):
        missing = [path for path in job.inputs if not os.path.exists(path)]
        if missing:
            sys.exit(f"{job.name}: missing input {', '.join(missing)}")
        if not executor.wait(executor.run(job)):
            sys.exit(f"{job.name}: failed")
        print(f"{job.name}: {job.output} {os.path.getsize(job.output)} bytes")
    executor.close()
    shutil.rmtree(options.workdir)
    print(open("top20.txt").readline().strip())


if __name__ == "__main__":
    main()
