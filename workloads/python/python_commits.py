"""A script collects rows in a database.

before  each row is a transaction
after   all rows are one transaction
"""

import os
import sqlite3

from answer import Answer, pattern

WORDS = 8


def main() -> None:
    answer = Answer("python_commits", ["before", "after"])
    rows = answer.scaled(100)
    path = answer.path("rows.db")
    answer.begin_io()
    database = sqlite3.connect(path)
    database.execute("create table rows (number integer, content blob)")
    for number in range(rows):
        database.execute("insert into rows values (?, ?)", (number, pattern(number * WORDS, WORDS)))
        if answer.variant == "before":
            database.commit()
    database.commit()
    for number, content in database.execute("select number, content from rows order by number"):
        answer.add_result(content, number * WORDS)
    database.close()
    answer.end_io()
    answer.add_file("rows.db", os.stat(path).st_size)
    if answer.variant == "before":
        answer.finish("commit-per-row", "each row waits for the disk; one transaction for all rows")
    else:
        answer.finish("none", "one transaction")


main()
