import { expect, it } from "vitest";
import { cssPixels, seconds } from "../../src/base/units";
import { parseReport } from "../../src/data/parse_report";
import {
  counterAt,
  counterColumns,
  counterPath,
  processorCounter,
  queryCounters,
  serverCounters,
  traceCounters,
} from "../../src/model/counters";
import { stepBlocks, stepLanes, stepText } from "../../src/model/steps";

const COLUMNS = "log series name unit op start_s end_s per_s level"
  .split(" ")
  .map((name) => ({ name, type: "f64", unit: "", doc: "" }));
const reportOf = (...rows: (string | number | null)[][]) =>
  parseReport({
    schema_version: 1,
    metrics: { server_interval: { title: "t", columns: COLUMNS, rows, rows_in_all: rows.length } },
  });

it("the series of a quantity are summed, each over its own intervals", () => {
  const report = reportOf(
    [0, 0, "write_bytes", "B", "write", 0, 2, 100, null],
    [0, 1, "write_bytes", "B", "write", 1, 3, 50, null],
    [0, 2, "load", "1", null, 0, 1, null, 4],
  );
  const counters = serverCounters(report, null);
  expect(counters.map(({ name, unit, about, peak }) => [name, unit, about, peak])).toEqual([
    ["load", "1", "storage server", 4],
    ["write_bytes", "B/s", "sum of 2 series", 150],
  ]);
  const bytes = counters[1];
  if (!bytes) throw new Error("there are two quantities");
  expect([0.5, 1.5, 2.5, 3.5].map((at) => counterAt(bytes, seconds(at)))).toEqual([100, 150, 50, null]);
  expect(counterPath(bytes, { start: seconds(1), end: seconds(3) }, cssPixels(200), 30)).toBe(
    "M0.0 30V0.0H100.0V30ZM100.0 30V20.0H200.0V30Z",
  );
});

it("a job without samples of its servers has no such lane", () =>
  expect(serverCounters(parseReport({ schema_version: 1 }), null)).toEqual([]));

const table = (name: string, columns: string, ...rows: (string | number | null)[][]) =>
  parseReport({
    schema_version: 1,
    metrics: {
      [name]: {
        title: "t",
        columns: columns.split(" ").map((one) => ({ name: one, type: "f64", unit: "", doc: "" })),
        rows,
        rows_in_all: rows.length,
      },
    },
  });

it("processors in use are a lane where the recording has samples", () => {
  const counter = processorCounter(
    table("processor_time", "log start_s end_s processors", [0, 0, 1, 1.5], [0, 3, 4, 0.5]),
    null,
  );
  if (!counter) throw new Error("there are samples");
  expect([counter.peak, ...[0.5, 2, 3.5].map((at) => counterAt(counter, seconds(at)))]).toEqual([1.5, 1.5, 0, 0.5]);
  expect(processorCounter(parseReport({ schema_version: 1 }), null)).toBeNull();
});

it("counters of a trace are lanes with their unit, which a name can say", () => {
  const counters = traceCounters(
    table(
      "counter_track",
      "log name part unit series start_s end_s value",
      [0, "power", null, "W", 2, 0, 1, 300],
      [0, "power", null, "W", 2, 1, 2, 100],
      [0, "memory", "used_bytes", null, 1, 0, 1, 4096],
      [0, "idle", null, null, 1, 0, 1, 0],
    ),
    null,
  );
  expect(counters.map(({ name, unit, about, peak }) => [name, unit, about, peak])).toEqual([
    ["power", "W", "sum of 2 series, W", 300],
    ["memory: used_bytes", "bytes", "counter of the trace, bytes", 4096],
  ]);
  const [power] = counters;
  if (!power) throw new Error("there are two counters");
  expect([0.5, 1.5, 2.5].map((at) => counterAt(power, seconds(at)))).toEqual([300, 100, null]);
  expect(traceCounters(parseReport({ schema_version: 1 }), null)).toEqual([]);
});

it("numbers of a query are lanes where it has a start; without an end, a value holds until the next", () => {
  const answer = (names: string, ...rows: (string | number | null)[][]) => ({
    columns: names.split(" ").map((name) => ({ name, type: "f64", unit: "", doc: "" })),
    rows,
    rows_in_all: rows.length,
  });
  const [load] = queryCounters(answer("start_s queued_bytes host", [2, 300, "a"], [0, 100, "a"], [5, 0, "a"]));
  if (!load) throw new Error("the query has numbers over time");
  expect([load.name, load.unit, load.peak, ...[1, 3, 6].map((at) => counterAt(load, seconds(at)))]).toEqual([
    "queued_bytes",
    "bytes",
    300,
    100,
    300,
    null,
  ]);
  const [sum] = queryCounters(answer("start_s end_s calls", [0, 4, 1], [2, 6, 2]));
  expect(sum?.steps.map((step) => step.value)).toEqual([1, 3, 2]);
  expect(counterColumns(answer("layer calls", ["posix", 3]))).toBeNull();
  expect(counterColumns(answer("start_s layer", [1, "posix"]))).toBeNull();
});

it("steps of one name are a lane, in order of time", () => {
  const lanes = stepLanes(
    table(
      "region_span",
      "log category name number start_s end_s ranks",
      [0, "step", "step", 1, 5, 9, 4],
      [0, "step", "step", 0, 0, 5, 4],
      [0, "region", "checkpoint", null, 4, 5, 1],
    ),
    null,
  );
  expect(lanes.map(({ name, steps }) => [name, steps.map((step) => step.name)])).toEqual([
    ["step", ["step 0", "step 1"]],
    ["checkpoint", ["checkpoint"]],
  ]);
  const [lane] = lanes;
  if (!lane?.steps[0]) throw new Error("there are two lanes");
  expect(stepText(lane.steps[0])).toBe("step 0: 5.00\u202fs, from 0\u202fs, 4 ranks");
  const view = { start: seconds(0), end: seconds(10) };
  expect(stepBlocks(lane, view, cssPixels(100)).map(({ x, width, is_odd }) => [x, width, is_odd])).toEqual([
    [0, 49.5, false],
    [50, 39.5, true],
  ]);
  expect(stepBlocks(lane, { start: seconds(6), end: seconds(8) }, cssPixels(100))).toHaveLength(1);
});
