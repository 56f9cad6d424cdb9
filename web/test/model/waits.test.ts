import { describe, expect, it } from "vitest";
import { parseReport } from "../../src/data/parse_report";
import { waitsOf } from "../../src/model/waits";

const COLUMNS = "rank function late_rank cause_rank activity file_id wait_s"
  .split(" ")
  .map((name) => ({ name, type: "str", unit: "", doc: "" }));
const of = (...rows: (string | number | null)[][]) =>
  waitsOf(
    parseReport({
      schema_version: 1,
      metrics: { message_wait: { title: "t", columns: COLUMNS, rows, rows_in_all: rows.length } },
    }),
    null,
  );

describe("who waits for whom", () => {
  it("adds the seconds of one rank for another, and names the causes by their seconds", () => {
    const waits = of(
      [1, "MPI_Bcast", 0, 0, "read", "7", 2],
      [1, "MPI_Barrier", 0, 0, "computing", null, 1],
      [2, "MPI_Bcast", 0, 0, "read", "7", 3],
      [0, "MPI_Bcast", null, null, "message", null, 9],
    );
    expect(waits?.cells).toEqual([
      { waits: 1, late: 0, seconds: 3 },
      { waits: 2, late: 0, seconds: 3 },
    ]);
    expect(waits?.causes.map(({ activity, waiters, seconds }) => [activity, waiters, seconds])).toEqual([
      ["read", 2, 5],
      ["computing", 1, 1],
    ]);
  });
  it("is nothing where nobody waits", () => {
    expect(of([0, "MPI_Alltoall", null, null, "message", null, 9])).toBeNull();
    expect(waitsOf(parseReport({ schema_version: 1 }), null)).toBeNull();
  });
});
