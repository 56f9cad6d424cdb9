"""What diya reads: runs ``diya export`` and loads its Arrow files with pyarrow."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

EXPORT_LIMIT_S = 300


class DiyaFailed(RuntimeError):
    """diya ended with an error, or printed none and wrote nothing."""


@dataclass
class Cells:
    """A column: values of any kind where ``is_null`` is false, undefined elsewhere."""

    values: np.ndarray
    is_null: np.ndarray


def export_log(diya: Path, log: Path, folder: Path) -> dict[str, dict[str, Cells]]:
    """Tables of a log, by name, as diya exports them.

    Raises
    ------
    DiyaFailed
        With the words of diya.
    """
    command = [diya, "export", log, "-o", folder, "--format", "arrow", "--as-recorded"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=EXPORT_LIMIT_S, check=False)
    files = sorted(folder.glob("*.arrow"))
    if done.returncode != 0 or not files:
        raise DiyaFailed(f"exit code {done.returncode}: {done.stderr.strip()[-400:]}")
    return {file.stem: load(file) for file in files}


def load(file: Path) -> dict[str, Cells]:
    """Columns of one Arrow IPC file."""
    with pa.memory_map(str(file)) as source:
        table = pa.ipc.open_file(source).read_all()
        return {name: cells(table[name]) for name in table.column_names}


def cells(column: pa.ChunkedArray) -> Cells:
    """An Arrow column as numpy: text as objects, times as int64 nanoseconds."""
    is_null = column.is_null().to_numpy(zero_copy_only=False).astype(bool)
    kind = column.type
    if pa.types.is_run_end_encoded(kind):
        column = pc.run_end_decode(column)
        kind = column.type
        is_null = column.is_null().to_numpy(zero_copy_only=False).astype(bool)
    if pa.types.is_timestamp(kind):
        return Cells(_filled(column.cast(pa.int64()), 0), is_null)
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return Cells(_filled(column, 0), is_null)
    # Repeated text (host, layer, op of 10 million calls): one Python object per
    # different value, not per row.
    chunk = column.combine_chunks()
    coded = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
    if isinstance(coded, pa.ChunkedArray):
        coded = pa.chunked_array(coded.chunks).unify_dictionaries().combine_chunks()
    words = np.array([*coded.dictionary.to_pylist(), None], object)
    codes = coded.indices.fill_null(len(words) - 1).to_numpy(zero_copy_only=False)
    return Cells(words[codes], is_null)


def _filled(column: pa.ChunkedArray, filler: int) -> np.ndarray:
    value = pa.scalar(filler, column.type) if not pa.types.is_boolean(column.type) else False
    return pc.fill_null(column, value).to_numpy()
