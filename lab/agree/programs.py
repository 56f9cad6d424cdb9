"""Small programs whose traces are compared: of Debian, and of Python."""

from __future__ import annotations

from pathlib import Path

#: Names and commands of a shell, in an empty folder.
PROGRAMS = {
    "copies": "head -c 300000 /dev/zero > a; cp a b; cat a b > c; cmp a b",
    "dd": "dd if=/dev/zero of=a bs=4096 count=100; dd if=a of=b bs=1000 skip=3",
    "tar": "mkdir in; for n in 1 2 3 4 5; do head -c ${n}00 /dev/zero > in/$n; done; tar -cf a.tar in; tar -xf a.tar -C .",
    "gzip": "head -c 500000 /bin/bash > a; gzip -k a; gzip -dc a.gz > b; cmp a b",
    "sort": "seq 5000 -1 1 > a; sort -n a > b; sort -rn b > c; cmp a c",
    "python": "python3 -c \"open('a','wb').write(b'x'*70000); print(len(open('a','rb').read()))\"",
}

_PYTHON = {
    "json": "import json\njson.loads(json.dumps({str(n): n for n in range(500)}))\n",
    "files": "from pathlib import Path\nimport tempfile\nfolder = Path(tempfile.mkdtemp())\n"
    "for n in range(20):\n    (folder / str(n)).write_bytes(b'x' * n)\n",
    "threads": "import threading\ndef work(n):\n    return sum(str(i).count('1') for i in range(n))\n"
    "all = [threading.Thread(target=work, args=(50,)) for _ in range(4)]\n"
    "[t.start() for t in all]\n[t.join() for t in all]\n",
    "recursion": "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(12)\n",
    "csv": "import csv, io\nout = io.StringIO()\ncsv.writer(out).writerows([[i, i * i] for i in range(200)])\n"
    "list(csv.reader(io.StringIO(out.getvalue())))\n",
}


def python_programs(folder: Path) -> dict[str, Path]:
    """Write the programs into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    # Not named as the modules that they import.
    programs = {name: folder / f"of_{name}.py" for name in _PYTHON}
    for name, program in programs.items():
        program.write_text(_PYTHON[name])
    return programs
