/** Pictures of findings: none that says the opposite of its card, or nothing. */

import { expect, it } from "vitest";
import { parseReport } from "../../src/data/parse_report";
import { evidenceChart } from "../../src/model/evidence";

const table = (columns: string, ...rows: (string | number)[][]): object => ({
  title: "",
  columns: columns.split(" ").map((name) => ({ name, type: "f64", unit: "", doc: "" })),
  rows,
  rows_in_all: rows.length,
});
const chart = (id: string, metrics: object) => {
  const report = parseReport({
    schema_version: 1,
    findings: [{ id, evidence: [{ text: "", values: { op: "write" } }], ranks: [1] }],
    metrics,
  });
  const [finding] = report.findings;
  return finding ? evidenceChart(finding, report, "light") : null;
};

it("ranks are drawn where they differ", () => {
  expect(chart("posix/serialised-ranks", { rank_io: table("rank io_s", [0, 0.031], [1, 0.032]) })).toBeNull();
  expect(chart("posix/serialised-ranks", { rank_io: table("rank io_s", [0, 0.031], [1, 0.32]) })?.title).toBe(
    "Time in I/O per rank",
  );
});

it("calls of a library are not judged by the requests below it", () => {
  const metrics = {
    size_time: table(
      "layer op size_lo_bytes calls_ratio bytes_ratio time_ratio",
      ["posix", "write", 101, 0.1, 0, 0.1],
      ["posix", "write", 102401, 0.9, 1, 0.9],
    ),
  };
  expect(chart("netcdf/small-transfers", metrics)).toBeNull();
  expect(chart("posix/small-requests", metrics)?.title).toBe("POSIX writes by request size");
});
