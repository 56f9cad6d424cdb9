/** Runs on one axis, and pictures that logs without single calls have. */

import { describe, expect, it } from "vitest";
import { dataKinds } from "../../src/model/activity";
import { seconds } from "../../src/base/units";
import { parseTimeline, storeOf } from "../memory/timeline";
import { MemorySource } from "../memory/source";
import { parseReport } from "../../src/data/parse_report";
import type { Report } from "../../src/data/report";
import { spanNodes } from "../../src/model/map";
import { costliestPhase, phaseChart, phaseLayers, phasesOf } from "../../src/model/phases";
import { originOf, runOrder, runWindow, sharedWhole, shifted } from "../../src/model/runs";
import { targetSpeedChart } from "../../src/model/targets";
import { accountParts, kindOfClass, partText } from "../../src/model/time_account";

type Cell = string | number | null;
const table = (columns: string, ...rows: Cell[][]) => ({
  title: "",
  columns: columns.split(" ").map((name) => ({ name, type: "f64", unit: "", doc: "" })),
  rows,
  rows_in_all: rows.length,
});
const report = (metrics: object): Report => parseReport({ schema_version: 1, metrics });
const PHASES = "layer phase start_s end_s bytes_read bytes_written";

describe("a run that is compared", () => {
  const store = storeOf(parseTimeline("log rank start end\n0 0 0 4\n1 0 2 9"));
  const made = report({ phase: table(PHASES, ["posix", 0, 1, 2, 0, 8], ["posix", 1, 5, 6, 0, 8]) });
  const run = {
    name: "a",
    source: new MemorySource(store, made),
    description: store.description,
    report: made,
    log: null,
  };
  it("has its zero where it is asked for", () => {
    expect([originOf(run, "start"), originOf(run, "phase"), originOf(run, "last")]).toEqual([0, 1, 5]);
  });
  it("has its zero at its start where it has no phases", () =>
    expect(originOf({ ...run, report: report({}) }, "phase")).toBe(0));
  it("of one log shows the ranks of that log", () => {
    expect([...runOrder({ ...run, log: 1 }).tracks]).toEqual([1]);
    expect(runOrder(run).tracks).toHaveLength(2);
  });
  it("shares its axis with the longest", () => {
    const window = (start: number, end: number) => ({ start: seconds(start), end: seconds(end) });
    expect(sharedWhole([shifted(window(0, 9), -1), window(0, 4)])).toEqual(window(-1, 8));
    expect(runWindow(run).end).toBe(9);
  });
});

describe("without single calls", () => {
  const made = report({
    phase: table(PHASES),
    heatmap_phase: table(PHASES, ["stdio", 0, 0, 1, 0, 1], ["posix", 0, 1, 3, 0, 8]),
    heatmap_summary: table("layer phases duty_ratio bin_width_s", ["posix", 1, 0.4, 0.1]),
  });
  it("phases come from heat maps, which are exact to a bin", () => {
    expect(phaseLayers(made)).toEqual(["posix", "stdio"]);
    expect(phaseChart(made, "posix", null, "light").summary.replaceAll("\u202f", " ")).toMatch(
      /1 phase in POSIX, 40 % of the run\. From the heat maps of the log: exact to 100 ms\./,
    );
  });
  it("the longest phase stands for the costliest", () =>
    expect(costliestPhase(made, phasesOf(made, null, null))?.layer).toBe("posix"));
  it("a slow target is named by its files", () => {
    const chart = targetSpeedChart(
      report({
        target_speed: table(
          "ost_id median_bytes_per_s typical_bytes_per_s slowdown_ratio",
          [14, 1024, 4096, 4],
          [2, 4096, 4096, 1],
        ),
      }),
      null,
      "light",
    );
    expect(chart?.summary.replaceAll("\u202f", " ")).toBe(
      "Target 14 is the slowest: 1.00 KiB/s; the median is 4.00 KiB/s.",
    );
    expect(chart?.x.names).toEqual(["2", "14"]);
  });
});

it("the account of time is one bar, I/O first, computing last", () => {
  const row = (layer: string, of: string, time_s: number) => ({
    layer,
    class: of,
    op: null,
    function: null,
    time_s,
    calls: 1,
    bytes: 0,
    files: 1,
    is_at_speed: false,
  });
  const one = parseReport({
    schema_version: 1,
    time_account: [
      row("posix", "sync", 1),
      row("program", "computing", 5),
      row("posix", "write", 2),
      row("stdio", "write", 2),
    ],
  });
  expect(accountParts(one).map((part) => [part.name, part.seconds, part.share])).toEqual([
    ["write", 4, 0.4],
    ["sync", 1, 0.1],
    ["computing and other work", 5, 0.5],
  ]);
  expect(accountParts(report({}))).toEqual([]);
  expect(
    accountParts(one)
      .map(partText)
      .map((words) => words.replaceAll("\u202f", " ")),
  ).toEqual(["write 4.0 s", "sync 1.0 s", "computing and other work 5.0 s"]);
  expect(["sync", "write", "library"].map(kindOfClass)).toEqual(["wait", "write", null]);
});

it("the glance leaves out the metadata of layers that only wait for others", () => {
  expect(dataKinds(["mpiio"])).toEqual(["read", "write", "wait"]);
  expect(dataKinds(["posix", "stdio"])).toBeNull();
});

it("a stretch that is marked is never too thin to be seen, and none is marked outside", () => {
  const y = { of: "offset" as const, from: 0, to: 1e9, is_log: false, label: "", unit: "bytes", names: null };
  const nodes = spanNodes(
    y,
    [
      { from: 5, to: 6 },
      { from: 2e9, to: 3e9 },
    ],
    400,
    200,
    "red",
  );
  expect(nodes.map((one) => one.attributes.height)).toEqual([2]);
});
