"""Rows into a table through its own buffer, then a query (PyTables)."""

import tables


class Hit(tables.IsDescription):
    event = tables.Int64Col()
    energy = tables.Float64Col()


with tables.open_file("hits.h5", "w") as file:
    hits = file.create_table("/", "hits", Hit, expectedrows=400_000)
    row = hits.row
    for event in range(400_000):
        row["event"], row["energy"] = event, event * 0.5
        row.append()
    hits.flush()
    print(len(hits.read_where("energy > 150000")))
