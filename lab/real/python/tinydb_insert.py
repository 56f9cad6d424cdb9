"""Inserts documents one by one into a JSON data base (tinydb)."""

from tinydb import TinyDB

with TinyDB("runs.json") as runs:
    for number in range(400):
        runs.insert({"run": number, "parameters": {"alpha": number / 10, "name": f"run {number}"}})
