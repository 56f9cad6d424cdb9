/** Waits for other ranks over time: rows, lines, what is left out. */

import { describe, expect, it } from "vitest";
import { cssPixels, seconds } from "../../src/base/units";
import { parseReport } from "../../src/data/parse_report";
import type { Value } from "../../src/data/report";
import { longestOfAll, longestWait, messageStrip } from "../../src/model/message_strip";

const NAMES = "log rank function late_rank cause_rank activity file_id start_s until_s end_s";
const report = (...rows: Value[][]) =>
  parseReport({
    schema_version: 1,
    metrics: {
      message_span: {
        title: "",
        rows_in_all: rows.length,
        rows,
        columns: NAMES.split(" ").map((name) => ({ name, unit: "", doc: "" })),
      },
    },
  });
const view = { start: seconds(0), end: seconds(10) };
const strip = (...rows: Value[][]) =>
  messageStrip(
    report(...rows),
    null,
    view,
    cssPixels(100),
    (rank) => `rank ${rank}`,
    () => "config.nc",
  );

describe("waits for other ranks", () => {
  const made = strip(
    [0, 1, "MPI_Bcast", 0, 0, "read", "7", 1, 5, 6],
    [0, 2, "MPI_Recv", 1, 0, "computing", null, 20, 21, 21],
  );
  it("have a bar in the row of who waits, and a line from who is late", () => {
    expect(made?.ranks).toEqual([0, 1, 2]);
    expect(made?.waits.map(({ x, width, y, moving, line }) => [x, width, y, moving, line])).toEqual([
      [10, 40, 16, 10, { x: 50, from: 7, to: 21 }],
    ]);
  });
  it("say for whom, and what that one does", () =>
    expect(made?.waits[0]?.title.replaceAll("\u202f", " ")).toBe(
      "Rank 1 waits 4.00 s in MPI_Bcast for rank 0, which reads config.nc.",
    ));
  it("lead to the longest one", () => {
    expect(made?.byLength.map(({ ranks, time }) => [ranks, time.start])).toEqual([
      [[1, 0], 1],
      [[2, 1], 20],
    ]);
    const of = report([0, 1, "MPI_Bcast", 0, 0, "read", "7", 1, 5, 6]);
    expect(longestOfAll(of, null)).toEqual({ ranks: [1, 0], time: { start: 1, end: 6 } });
    expect(longestOfAll(report(), null)).toBeNull();
    expect([longestWait(of, null, 1, 0), longestWait(of, null, 0, 1)]).toEqual([{ start: 1, end: 6 }, null]);
  });
  it("are shown of those ranks that wait longest", () => {
    const many = Array.from({ length: 40 }, (_, at) => [0, at + 1, "f", 0, 0, "computing", null, 0, 9 - at / 10, 9]);
    const some = strip(...many);
    expect([some?.ranks.length, some?.left_out, some?.waits.length]).toEqual([16, 25, 15]);
  });
  it("have no strip where nobody waits", () => expect(strip()).toBeNull());
});
