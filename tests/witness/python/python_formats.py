"""A table of text as JSON lines, as a data base and as a ZIP file (Python's own modules)."""

import csv
import json
import sqlite3
import zipfile

with open("table.csv", newline="") as file:
    rows = list(csv.DictReader(file))
with open("table.json", "w") as file:
    for row in rows:
        file.write(json.dumps(row) + "\n")
with sqlite3.connect("table.db") as base:
    base.execute("create table t(station, temperature real)")
    base.executemany("insert into t values(:station, :temperature)", rows)
    base.commit()
    print(base.execute("select avg(temperature) from t").fetchone())
with zipfile.ZipFile("table.zip", "w", zipfile.ZIP_DEFLATED) as pack:
    pack.write("table.csv")
    pack.write("table.json")
with zipfile.ZipFile("table.zip") as pack:
    pack.extract("table.csv", "again")
