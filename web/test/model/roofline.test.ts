/** Phases under the measured bandwidth. */

import { expect, it } from "vitest";

import { parseReport } from "../../src/data/parse_report";
import { rooflineChart } from "../../src/model/roofline";

const column = (name: string): object => ({ name, unit: "", doc: "" });
const table = (name: string, columns: string[], rows: unknown[][]): object => ({
  name,
  columns: columns.map(column),
  rows,
});
const roofs = table(
  "roof",
  ["log", "op", "is_together", "request_bytes", "workers", "bandwidth_bytes_per_s"],
  [
    [0, "write", true, 1048576, 4, 9e9],
    [0, "write", true, 4096, 4, 1e9],
    [0, "write", false, 4096, 1, 5e8],
    [0, "read", true, 4096, 4, 7e8],
  ],
);
const phases = table(
  "roofline",
  ["log", "phase", "op", "ranks", "bytes", "request_bytes", "bandwidth_bytes_per_s", "roof_bytes_per_s", "roof_ratio"],
  [
    [0, 0, "write", 4, 4000, 256, 1e8, 1e9, 0.1],
    [0, 1, "write", 4, 9000, 4096, 4e8, 1e9, 0.4],
  ],
);
const report = (metrics: object[]) =>
  parseReport({
    schema_version: 1,
    metrics: Object.fromEntries(metrics.map((one) => [(one as { name: string }).name, one])),
  });

it("roofs are curves in the order of sizes, phases are points", () => {
  const chart = rooflineChart(report([roofs, phases]), null, "light");
  expect(chart?.series.map(({ name, shape, x }) => [name, shape, x])).toEqual([
    ["calibrated: write, 1 worker", "line", [4096]],
    ["calibrated: write, 4 workers", "line", [4096, 1048576]],
    ["write", "dots", [256, 4096]],
  ]);
  expect(chart?.summary).toContain("40");
});

it("without a machine profile there is no chart", () => {
  expect(rooflineChart(report([phases]), null, "light")).toBeNull();
});
