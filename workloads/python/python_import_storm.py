"""Many processes use the same package.

before  every process starts afresh: it looks for each module in directories
        that do not hold it, and opens every module
after   one process imports the package, the others are forked from it
"""

import importlib
import multiprocessing
import subprocess
import sys

from answer import MASK, Answer, mix, raw_mkdir, raw_write_file

EMPTY_DIRECTORIES = 8
PROCESSES = 4

# What each fresh process runs: the sum shows that the modules had their content.
IMPORTER = """
import importlib, sys
sys.path[:0] = sys.argv[2:]
print(sum(importlib.import_module(f"part{k}").VALUE for k in range(int(sys.argv[1]))))
"""


def module_source(number: int) -> bytes:
    return f'"""Part {number} of a package of many parts."""\n\nVALUE = {mix(number + 1)}\n'.encode()


def write_package(answer: Answer, modules: int) -> list[str]:
    """Write the modules unseen; the directories to look for them in, in order."""
    places = [answer.path(f"empty{k}") for k in range(EMPTY_DIRECTORIES)] + [answer.path("package")]
    for place in places:
        raw_mkdir(place)
    for number in range(modules):
        raw_write_file(answer.path(f"package/part{number}.py"), module_source(number))
        answer.add_file(f"package/part{number}.py", len(module_source(number)))
    return places


def sum_of_parts(modules: int) -> int:
    return sum(importlib.import_module(f"part{k}").VALUE for k in range(modules))


def sums_of_fresh_processes(modules: int, places: list[str]) -> list[int]:
    # -B: nothing is written beside the modules. -S -E: nothing else is imported.
    command = [sys.executable, "-B", "-S", "-E", "-c", IMPORTER, str(modules), *places]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(PROCESSES)]
    return [int(process.communicate()[0]) for process in running]


def sums_of_forked_processes(modules: int, places: list[str]) -> list[int]:
    sys.dont_write_bytecode = True
    sys.path[:0] = places
    sum_of_parts(modules)
    with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
        return pool.map(sum_of_parts, [modules] * PROCESSES, chunksize=1)


def main() -> None:
    answer = Answer("python_import_storm", ["before", "after"])
    modules = answer.scaled(100)
    places = write_package(answer, modules)
    is_fresh = answer.variant == "before"
    answer.begin_io()
    sums = (sums_of_fresh_processes if is_fresh else sums_of_forked_processes)(modules, places)
    answer.end_io()
    for found in sums:
        answer.add_result_of(found & MASK, 8 * modules)
    importers = PROCESSES if is_fresh else 1
    answer.count("posix", bytes_read=importers * sum(len(module_source(k)) for k in range(modules)))
    answer.add_fact("module_opens", importers * modules)
    answer.add_fact("processes", PROCESSES)
    if is_fresh:
        answer.finish(
            "import-storm", "every process opens every module; import once and fork, or keep a copy on the node"
        )
    else:
        answer.finish("none", "every module is opened once")


main()
