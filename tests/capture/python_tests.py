"""Runs Python's own tests bare and under `diya run --stacks`: the same ones must pass.

    python3 tests/capture/python_tests.py --diya PATH --python PATH [--only MODULE ...] [--row FILE]

A test whose outcome differs is tried twice more in both ways: where that outcome varies
without the recorder, too, it says nothing. Prints one line a module; --row appends one
line of a table for all of them.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml
from pathlib import Path

MODULES = """
test_io test_os test_subprocess test_mmap test_fileio test_file test_bufio test_posix test_fcntl test_stat
test_shutil test_tempfile test_glob test_pathlib test_fnmatch test_fileinput test_filecmp test_linecache
test_zipfile test_tarfile test_gzip test_bz2 test_lzma test_zlib test_zipimport test_dbm test_dbm_dumb test_shelve
test_sqlite test_sqlite3 test_csv test_pickle test_mailbox test_netrc test_configparser
test_threading test_thread test_fork1 test_wait3 test_wait4 test_popen test_pty test_openpty test_select test_poll
test_epoll test_selectors test_signal test_threadsignals test_faulthandler test_posixpath test_import
test_largefile test_ctypes test_socket test_socketserver test_asyncio
test_multiprocessing_fork test_multiprocessing_forkserver test_multiprocessing_spawn
test_multiprocessing_main_handling test_concurrent_futures test_runpy test_cmd_line test_cmd_line_script test_atexit
""".split()
LIMIT_S = 900


def outcomes(command: list[str], module: str) -> dict[str, str]:
    """What became of each test of a module."""
    with tempfile.TemporaryDirectory(prefix="diya-python.") as folder:
        report = Path(folder, "report.xml")
        done = subprocess.run(
            [*command, "-m", "test", "--junit-xml", str(report), module],
            cwd=folder,
            timeout=LIMIT_S,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
        if not report.exists():
            return {"the module": f"exit code {done.returncode}: {done.stdout[-300:]} {done.stderr[-300:]}"}
        found: dict[str, str] = {"the module": f"exit code {done.returncode}"}
        for case in xml.parse(report).iter("testcase"):
            bad = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
            found[case.get("name", "")] = bad[0] if bad else case.get("result", "completed")
        return found


def differences(bare: dict[str, str], recorded: dict[str, str]) -> set[str]:
    return {name for name in bare.keys() | recorded.keys() if bare.get(name) != recorded.get(name)}


def module_differs(bare: list[str], recorded: list[str], module: str) -> tuple[dict[str, str], list[str]]:
    """Outcomes without the recorder, and the tests that the recorder changes."""
    without, beside = outcomes(bare, module), outcomes(recorded, module)
    changed = differences(without, beside)
    for _ in range(2):
        if not changed:
            break
        again, beside_again = outcomes(bare, module), outcomes(recorded, module)
        changed &= differences(again, beside_again)  # each time
        changed -= differences(without, again)  # not by itself
    return without, [f"{name}: {without.get(name)}, recorded {beside.get(name)}" for name in sorted(changed)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--only", nargs="*", default=MODULES)
    parser.add_argument("--row", type=Path)
    args = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background: tests fail by it
    version = subprocess.run(
        [args.python, "-c", "import platform; print(platform.python_version())"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    tests = skipped = modules = changed = 0
    with tempfile.TemporaryDirectory(prefix="diya-python.") as folder:
        recorder = [args.diya, "run", "-q", "--stacks", "--force", "-o", f"{folder}/log.diya", "--", args.python]
        for module in args.only:
            if subprocess.run([args.python, "-c", f"import test.{module}"], capture_output=True).returncode:
                print(f"{version} {module}: not part of this Python", flush=True)
                continue
            started = time.monotonic()
            try:
                without, differ = module_differs([args.python], recorder, module)
            except subprocess.TimeoutExpired as error:
                if error.cmd[0] == args.python:
                    print(f"{version} {module}: not judged, longer than {LIMIT_S} s without the recorder", flush=True)
                    continue
                without, differ = {}, [f"longer than {LIMIT_S} s: {' '.join(error.cmd[:2])}"]
            modules += 1
            tests += max(len(without) - 1, 0)
            skipped += sum(1 for outcome in without.values() if outcome == "skipped")
            changed += len(differ)
            print(
                f"{version} {module}: {max(len(without) - 1, 0)} tests, {'; '.join(differ) or 'the same'} "
                f"({time.monotonic() - started:.0f} s)",
                flush=True,
            )
    print(
        f"{version}: {modules} modules, {tests} tests, {skipped} skipped, {changed} changed by the recorder", flush=True
    )
    if args.row:
        with args.row.open("a") as file:
            file.write(f"| {version} | {modules} | {tests} | {skipped} | {changed} |\n")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
