"""Every function of the C library is classified, and every hook is real.

    symbols.py LIBDIYA_CAPTURE [LIBC]

A symbol must be in schema/functions/{posix,stdio}.toml (recorded, counted, or
not recorded for a reason) or in schema/functions/not_io.txt. A newer C library
with a new I/O function fails here, before it becomes a blind spot. The list of
recorded symbols must be exported, and nothing may be exported that is in no list.
"""

import fnmatch
import re
import subprocess
import sys
from pathlib import Path

FUNCTIONS = Path(__file__).parents[2] / "schema" / "functions"

# Called by diya.h, by Kokkos, by NVTX, by programs with Caliper, and by a library that applies settings.
REGIONS = ("diya_annotate_", "kokkosp_", "InitializeInjectionNvtx2", "cali_", "_ZN4cali", "diya_record_")


def exported(library: str) -> set[str]:
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    kinds = "TWi"
    return {line.split()[-1].split("@")[0] for line in lines.stdout.splitlines() if line.split()[-2] in kinds}


def symbols_of(section: str) -> set[str]:
    return {name for names in re.findall(r'symbols = "([^"]*)"', section) for name in names.split()}


def classified() -> tuple[dict[str, set[str]], set[str], set[str]]:
    """Recorded symbols per layer; patterns left out for a reason; patterns without I/O.

    What is counted can be recorded, too (`exec` where it fails); what is not recorded cannot."""
    recorded, left_out = {}, set()
    for toml in sorted(FUNCTIONS.glob("*.toml")):
        functions, _, rest = toml.read_text().partition("\ncounted = ")
        recorded[toml.stem] = symbols_of(functions)
        left_out |= symbols_of(rest)
        both = recorded[toml.stem] & symbols_of(rest.partition("\nnot_recorded = ")[2])
        if both:
            sys.exit(f"symbols: {toml}: recorded and not_recorded: {' '.join(sorted(both))}")
    messages = (FUNCTIONS.parent / "messages.toml").read_text()
    recorded["messages"] = symbols_of(messages.partition("\nnot_recorded = ")[0])
    lines = (FUNCTIONS / "not_io.txt").read_text().splitlines()
    not_io = {name for line in lines if not line.startswith("#") for name in line.split()}
    return recorded, left_out, not_io


def loaded_libc() -> str:
    maps = Path("/proc/self/maps").read_text()
    return re.search(r"(/\S*/libc[.-]\S*so\S*)", maps).group(1)


def main(library: str, libc: str) -> int:
    recorded, left_out, not_io = classified()
    patterns = [name for name in left_out | not_io if "*" in name or "?" in name]
    exact = (left_out | not_io).union(*recorded.values())
    of_libc = exported(libc)
    unknown = {s for s in of_libc - exact if not any(fnmatch.fnmatchcase(s, p) for p in patterns)}
    hooks = exported(library)
    unhooked = {s for layer in ("posix", "stdio") for s in recorded[layer]} - hooks
    unlisted = hooks - exact  # some are hooked for what they say of the process, without a record
    unlisted = {s for s in unlisted if not s.startswith(REGIONS)}
    unlisted -= {f"P{symbol}" for symbol in exact if symbol.startswith("MPI_")}  # hook_pmpi.c
    for title, names in (
        (f"functions of {libc} that nobody has classified", unknown),
        ("listed as recorded, but not exported", unhooked),
        ("exported, but not listed", unlisted),
    ):
        if names:
            print(f"{title}: {' '.join(sorted(names))}")
    print(f"symbols: {len(of_libc)} of the C library classified, {len(hooks)} hooks")
    return 1 if unknown or unhooked or unlisted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else loaded_libc()))
