"""A table of text to Parquet and back, column by column (pyarrow)."""

import pyarrow.csv
import pyarrow.parquet

table = pyarrow.csv.read_csv("table.csv")
for number in range(10):
    pyarrow.parquet.write_table(table, f"table{number}.parquet", compression="zstd")
    print(pyarrow.parquet.read_table(f"table{number}.parquet", columns=["rain"]).num_rows)
