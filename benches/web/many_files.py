"""Makes, reads and removes 100,000 small files: `many_files.py FOLDER`, to be recorded.

For measuring a page whose tables are long.
"""

import os
import sys

FILES = 100_000


def main() -> None:
    """Files of 1 to 4000 bytes, each written at once and read in part."""
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for number in range(FILES):
        path = f"{folder}/part_{number % 97:03d}_file_{number:06d}.dat"
        file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_TRUNC, 0o644)
        os.write(file, b"x" * (number % 4000 + 1))
        os.pread(file, 100, 0)
        os.close(file)
        os.unlink(path)


if __name__ == "__main__":
    main()
