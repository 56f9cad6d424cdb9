import { expect, it } from "vitest";
import { cssPixels, seconds } from "../../src/base/units";
import { parseReport } from "../../src/data/parse_report";
import { counterAt, counterPath, serverCounters } from "../../src/model/counters";

const COLUMNS = "log series name unit op start_s end_s per_s level".split(" ").map((name) => ({ name, type: "f64", unit: "", doc: "" }));
const reportOf = (...rows: (string | number | null)[][]) => parseReport({ schema_version: 1, metrics: { server_interval: { title: "t", columns: COLUMNS, rows, rows_in_all: rows.length } } });

it("the series of a quantity are summed, each over its own intervals", () => {
  const report = reportOf([0, 0, "write_bytes", "B", "write", 0, 2, 100, null], [0, 1, "write_bytes", "B", "write", 1, 3, 50, null], [0, 2, "load", "1", null, 0, 1, null, 4]);
  const counters = serverCounters(report, null);
  expect(counters.map(({ name, unit, series, peak }) => [name, unit, series, peak])).toEqual([["load", "1", 1, 4], ["write_bytes", "B/s", 2, 150]]);
  const bytes = counters[1];
  if (!bytes) throw new Error("there are two quantities");
  expect([0.5, 1.5, 2.5, 3.5].map((at) => counterAt(bytes, seconds(at)))).toEqual([100, 150, 50, null]);
  expect(counterPath(bytes, { start: seconds(1), end: seconds(3) }, cssPixels(200), 30)).toBe("M0.0 30V0.0H100.0V30ZM100.0 30V20.0H200.0V30Z");
});

it("a job without samples of its servers has no such lane", () => expect(serverCounters(parseReport({ schema_version: 1 }), null)).toEqual([]));
