#!/usr/bin/env python3
"""Licences of the crates and packages that the lock files name: each is one that diya may use.

deny.toml lists these once, for cargo-deny as well (scripts/advisories.sh). Crates are read where
cargo keeps them; one that is not there is counted, since only a fetch brings it.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: A font in the page (NOTICE.md), and a package of tests that no page carries.
OF_PACKAGES = {"OFL-1.1", "MPL-2.0"}


def is_allowed(expression: str, allowed: set[str]) -> bool:
    """Whether a choice of the expression (SPDX, or the old `MIT/Apache-2.0`) is among the allowed."""
    spdx = expression.replace("/", " OR ").replace(" WITH ", "-WITH-")
    names = {name.replace(" WITH ", "-WITH-") for name in allowed}
    parts = re.findall(r"[()]|[^\s()]+", spdx)
    made = [part if part in "()" else {"OR": "or", "AND": "and"}.get(part, str(part in names)) for part in parts]
    return bool(eval(" ".join(made)))  # only brackets, `or`, `and`, True, False


def crates() -> tuple[list[tuple[str, str]], int]:
    """Names with licences, and how many are not on this machine."""
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    found, missing = [], 0
    for package in lock["package"]:
        if "source" not in package:
            continue
        name = f"{package['name']}-{package['version']}"
        manifest = next(home.glob(f"registry/src/*/{name}/Cargo.toml"), None)
        if manifest is None:
            missing += 1
            continue
        found.append((name, tomllib.loads(manifest.read_text())["package"].get("license", "none")))
    return found, missing


def main() -> None:
    allowed = set(tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]["allow"])
    found, missing = crates()
    wrong = [f"{name}: {licence}" for name, licence in found if not is_allowed(licence, allowed)]
    lock = json.loads((ROOT / "web/package-lock.json").read_text())
    packages = [(name, of.get("license", "none")) for name, of in lock["packages"].items() if name]
    wrong += [f"{name}: {licence}" for name, licence in packages if not is_allowed(licence, allowed | OF_PACKAGES)]
    for line in wrong:
        print(f"licence not in deny.toml: {line}", file=sys.stderr)
    unseen = f", {missing} crates not fetched" if missing else ""
    print(f"licences: {len(found)} crates, {len(packages)} packages of the page{unseen}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
