"""Runs the notebooks of docs/notebooks, and compares the output of each cell.

DIYA_BLESS=1 writes the outputs again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


def outputs(shell: Any, source: str) -> list[dict[str, Any]]:
    """What a cell prints and what its last line is, as a notebook holds them."""
    values: list[dict[str, str]] = []
    hook = shell.displayhook
    hook.write_output_prompt = lambda: None
    hook.write_format_data = lambda data, _=None: values.append(data)
    with capture_output() as captured:
        result = shell.run_cell(source)
    result.raise_error()
    found: list[dict[str, Any]] = []
    if printed := captured.stdout.rstrip("\n"):
        found.append({"name": "stdout", "output_type": "stream", "text": lines(printed + "\n")})
    for value in values:
        data = {kind: lines(text) for kind, text in value.items()}
        number = shell.execution_count
        found.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return found


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_gives_the_outputs_that_it_shows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    notebook = json.loads(path.read_text())
    shell: Any = InteractiveShell()  # type: ignore[no-untyped-call]
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert cells
    for number, cell in enumerate(cells, 1):
        shell.execution_count = number
        found = outputs(shell, "".join(cell["source"]))
        if os.environ.get("DIYA_BLESS"):
            cell["outputs"], cell["execution_count"] = found, number
        assert cell["outputs"] == found, "".join(cell["source"])
    if os.environ.get("DIYA_BLESS"):
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
