#!/usr/bin/env python3
"""Make the font of `diya plot` from the font of the page: one weight, Latin letters.

Usage: scripts/plot_font.py, after `npm ci` in web/; needs fonttools and brotli from PyPI.

Writes crates/diya-plot/font/: inter.ttf for PNG and PDF, inter.woff2 for SVG, and the licence.
Kerning and ligatures are left out, so that a text is equally wide in all three formats.
"""

import io
import pathlib
import shutil

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "web/node_modules/@fontsource-variable/inter"
FONT = ROOT / "crates/diya-plot/font"


def main() -> None:
    """Write the three files."""
    source = PACKAGE / "files/inter-latin-wght-normal.woff2"
    font = instantiateVariableFont(TTFont(source, recalcTimestamp=False), {"wght": 400})
    options = Options(layout_features=[], hinting=False, notdef_outline=True, name_IDs=[0, 1, 2, 4, 5, 6, 13, 14])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=font.getBestCmap())
    subsetter.subset(font)
    font.flavor = None
    plain = io.BytesIO()
    font.save(plain, reorderTables=True)
    FONT.mkdir(exist_ok=True)
    (FONT / "inter.ttf").write_bytes(plain.getvalue())
    font.flavor = "woff2"
    font.save(FONT / "inter.woff2")
    shutil.copyfile(PACKAGE / "LICENSE", FONT / "OFL.txt")


if __name__ == "__main__":
    main()
