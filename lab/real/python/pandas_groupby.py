"""Reads a table of text, sums it by station, writes the sums (pandas)."""

import pandas as pd

table = pd.read_csv("table.csv")
sums = table.groupby("station").agg({"temperature": ["mean", "std"], "wind": "max", "rain": "sum"})
sums.to_csv("stations.csv")
