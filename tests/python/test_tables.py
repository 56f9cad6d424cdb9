"""Tables, metrics and queries, as pyarrow, polars, pandas and duckdb take them."""

from __future__ import annotations

import threading
import time
from typing import Any

import diya
import duckdb
import pandas
import polars
import pyarrow
import pytest


def in_duckdb(sql: str, rows: diya.Rows) -> list[Any]:
    seen, relation = duckdb.sql("select * from rows"), duckdb.sql(sql)
    assert seen is not None and seen.columns == rows.columns
    assert relation is not None
    return relation.fetchall()


def test_every_table_with_rows_is_the_same_in_each_package(job: diya.Job) -> None:
    tables = job.tables()
    assert {"job", "file", "posix", "call"} <= {table.name for table in tables}
    for table in tables:
        rows = job.table(table.name)
        names = [column.name for column in table.columns]
        assert rows.columns == names
        frames = (pyarrow.table(rows), polars.DataFrame(rows), pandas.DataFrame.from_arrow(rows))
        for frame in frames:
            assert len(frame) == table.rows
        assert frames[0].column_names == names == frames[1].columns == list(frames[2].columns)
        counted = in_duckdb("select count(*) from rows", rows)
        assert counted == [(table.rows,)] and table.rows == len(rows)


def test_values_are_the_same_in_each_package(job: diya.Job) -> None:
    rows = job.sql("select rank, path, bytes_read, writes from posix join file using (file_id)")
    expected = rows.to_dicts()
    assert len(expected) > 0 and isinstance(expected[0]["path"], str)
    assert list(rows) == expected == rows.to_arrow().to_pylist() == rows.to_polars().to_dicts()
    frame = rows.to_pandas()
    assert frame["bytes_read"].sum() == sum(row["bytes_read"] for row in expected)
    total = in_duckdb("select sum(bytes_read) from rows", rows)
    assert total == [(frame["bytes_read"].sum(),)]


def test_buffers_are_handed_over_without_a_copy(job: diya.Job) -> None:
    rows = job.sql("select offset_bytes + 1 as place from call")

    def address(table: pyarrow.Table) -> int:
        return int(table.column("place").chunk(0).buffers()[1].address)

    first, second = pyarrow.table(rows), pyarrow.table(rows)
    assert address(first) == address(second)
    # polars keeps the same memory, too.
    again = polars.DataFrame(rows).rechunk() if first.column("place").num_chunks > 1 else None
    if again is None:
        assert polars.DataFrame(rows).to_arrow().column("place").chunk(0).buffers()[1].address == (address(first))


def test_rows_outlive_their_job(log: str) -> None:
    rows = diya.open(log).table("file")
    assert len(pyarrow.table(rows)) == len(rows) > 0


def test_units_and_meanings_travel_with_the_columns(job: diya.Job) -> None:
    assert job.table("call").units["size_bytes"] == "bytes"
    field = pyarrow.table(job.table("call")).schema.field("size_bytes")
    assert field.metadata[b"unit"] == b"bytes"


def test_metrics_and_definitions(job: diya.Job) -> None:
    assert len(job.metric("job_io")) == 1
    names = {metric.name for metric in diya.metrics()}
    assert "job_io" in names and names.isdisjoint(table.name for table in diya.tables())
    assert "bytes" in str(next(table for table in diya.tables() if table.name == "posix"))


def test_an_answer_without_rows_has_its_columns(job: diya.Job) -> None:
    rows = job.sql("select rank, path from posix join file using (file_id) where rank < -5")
    assert (len(rows), bool(rows), rows.to_dicts()) == (0, False, [])
    assert pyarrow.table(rows).column_names == ["rank", "path"]


def test_values_that_arrow_has_and_python_lacks(job: diya.Job) -> None:
    sql = """select null as nothing, true as flag, cast(18446744073709551615 as bigint unsigned)
        as id, cast('nan' as double) as number, to_timestamp_nanos(1) as moment"""
    (row,) = job.sql(sql).to_dicts()
    assert row["nothing"] is None and row["flag"] is True and row["id"] == 2**64 - 1
    assert row["number"] != row["number"] and row["moment"].startswith("1970-01-01T00:00:00.0")


def test_rows_are_shown_in_part(job: diya.Job) -> None:
    rows = job.sql("select rank, op, size_bytes, '<b>' as text from call")
    assert repr(rows).endswith(f"\n{len(rows) - 20:,} rows more")
    html = rows._repr_html_()
    assert "&lt;b&gt;" in html and "<b>" not in html


def test_names_that_are_wrong(job: diya.Job) -> None:
    with pytest.raises(diya.UnknownNameError, match="near it: posix"):
        job.table("poxis")
    with pytest.raises(LookupError, match="job_io"):
        job.metric("job_oi")
    with pytest.raises(diya.QueryError, match="no column"):
        job.sql("select sise_bytes from call")
    with pytest.raises(diya.QueryError):
        job.sql("drop table call")
    with pytest.raises(diya.SettingError, match="one statement"):
        job.sql("select 1; select 2")


def test_other_threads_go_on_while_logs_are_read(job: diya.Job) -> None:
    turns, is_over = 0, threading.Event()

    def count() -> None:
        nonlocal turns
        while not is_over.is_set():
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    begin = time.monotonic()
    job.sql("select count(*) from call a join call b on a.layer = b.layer where a.size_bytes > -1")
    spent = time.monotonic() - begin
    is_over.set()
    thread.join()
    assert turns > min(spent, 5.0) * 50
