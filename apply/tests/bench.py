"""What --apply auto gains and costs: bench.py LIBRARY PROGRAM [FOLDER [ROUNDS]]

Each program runs in turn without and with the library; the fastest of the rounds counts, in seconds
of the processor.
"""

import os
import subprocess
import sys
import tempfile

GAIN = ["small", "seeks", "positioned", "lines", "blocks"]
NO_GAIN = ["scattered", "large", "reads", "looked_at", "short_files", "opens", "short_streams"]


def once(program: str, what: str, folder: str, environment: dict[str, str]) -> tuple[float, int]:
    done = subprocess.run(
        [program, what, folder], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    seconds, calls = done.stdout.split()
    return float(seconds), int(calls)


def main() -> int:
    library, program = sys.argv[1:3]
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    with tempfile.TemporaryDirectory(dir=sys.argv[3] if len(sys.argv) > 3 else None) as folder:
        for what in GAIN + NO_GAIN:
            plain, applied = [], []
            for _ in range(rounds):
                plain.append(once(program, what, folder, {}))
                applied.append(once(program, what, folder, {"LD_PRELOAD": library, "DIYA_APPLY": "auto"}))
            before, after = min(plain), min(applied)
            print(
                f"{what:14} {before[0]:7.3f} s -> {after[0]:7.3f} s ({after[0] / before[0]:5.2f})"
                f"  write calls {before[1]:8} -> {after[1]:8} ({before[1] / max(after[1], 1):.1f} to 1)"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
