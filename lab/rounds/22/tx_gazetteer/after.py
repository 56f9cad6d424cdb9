#!/usr/bin/env python3
"""Population per one-degree cell from a GeoNames style dump.

The table layout follows the GeoNames export (readme.txt of download.geonames.org),
the page-wise import is built like the usual "load allCountries with pandas" scripts.
"""
import argparse
import json
import logging
import sys
from collections import defaultdict

import numpy as np
import pandas as pd

COLS = ["geonameid", "name", "lat", "lon", "feature", "country", "population"]
DTYPES = {"geonameid": "int64", "lat": "float64", "lon": "float64", "population": "int64"}
log = logging.getLogger("gazetteer")


def pages(path, size):
    with pd.read_csv(path, sep="\t", header=None, names=COLS, dtype=DTYPES,
                     chunksize=size, na_filter=False) as reader:
        yield from reader


def cell_ids(page):
    lat = np.floor(page["lat"].to_numpy()).astype(int) + 90
    lon = np.floor(page["lon"].to_numpy()).astype(int) + 180
    return lat * 360 + lon


def add_page(page, cells, countries):
    populated = page[page["feature"].str.startswith("PPL")]
    ids = cell_ids(populated)
    for cid, pop in zip(ids.tolist(), populated["population"].tolist()):
        entry = cells[cid]
        entry[0] += 1
        entry[1] += pop
    for country, n in page["country"].value_counts().items():
        countries[country] += int(n)


def main(argv=None):
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("table")
    ap.add_argument("--page", type=int, default=5000)
    ap.add_argument("--out", default="density.json")
    args = ap.parse_args(argv)
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    cells = defaultdict(lambda: [0, 0])
    countries = defaultdict(int)
    rows = 0
    for page in pages(args.table, args.page):
        add_page(page, cells, countries)
        rows += len(page)
    top = sorted(cells.items(), key=lambda kv: (-kv[1][1], kv[0]))[:2000]
    with open(args.out, "w") as f:
        json.dump({"cells": [[c, n, p] for c, (n, p) in top], "countries": dict(sorted(countries.items()))}, f)
    log.info("%d rows", rows)
    print(f"{rows} rows, {len(cells)} cells, top cell {top[0][0]} with {top[0][1][1]} people")
    return 0


if __name__ == "__main__":
    sys.exit(main())
