/** Decisions of single views. */

import { describe, expect, it } from "vitest";
import { parseTimeline, storeOf } from "../memory/timeline";
import { parseReport } from "../../src/data/parse_report";
import type { Report } from "../../src/data/report";
import { seconds } from "../../src/base/units";
import { treeOrder } from "../../src/model/call_tree";
import { compareSentence, deltasOf, findingChanges, isBetter } from "../../src/model/compare";
import { fileRows } from "../../src/model/files";
import { keyAction } from "../../src/model/keys";
import { lanesOf } from "../../src/model/lanes";
import { askedAxis, isUpwards, stripeLines } from "../../src/model/map";
import type { Repeat } from "../../src/model/navigate";
import { moved, repeated } from "../../src/model/navigate";
import { NOTHING_SELECTED } from "../../src/model/route";
import { searchHits, timeOf } from "../../src/model/search";
import { arrangedRows, visibleRows } from "../../src/model/table";

const store = storeOf(
  parseTimeline(`
  rank layer op    file    host start end offset size
  0    mpiio write /out.h5 n7   0     4   0      8
  0    posix write /out.h5 n7   1     2   0      8
  1    posix read  /in.h5  n8   1     3   0      8
  1    posix read  /in.h5  n8   2     4   8      8
`),
);
const { description } = store;
const report = (parts: object): Report => parseReport({ schema_version: 1, ...parts });

describe("close-up", () => {
  it("puts overlapping calls of a rank into lanes", () => {
    const { lane, lanesOfTrack } = lanesOf(store.calls);
    expect([...lane]).toEqual([0, 1, 0, 1]);
    expect(lanesOfTrack.get(1)).toBe(2);
  });
});

describe("search", () => {
  it("finds ranks by number", () => expect(searchHits(description, "1")[0]).toMatchObject({ kind: "rank", track: 1 }));
  it("finds nodes with their ranks", () =>
    expect(searchHits(description, "N8")).toContainEqual({ kind: "node", label: "n8", ranks: [1] }));
  it("finds files by a part of the path", () =>
    expect(searchHits(description, "out")).toMatchObject([{ kind: "file", label: "/out.h5" }]));
  it("finds a time, a phase, a list of ranks", () => {
    expect(["1.5s", "250 ms", "1:02.5", "x"].map(timeOf)).toEqual([1.5, 0.25, 62.5, null]);
    expect(searchHits(description, "2 s")).toMatchObject([{ kind: "time", at: 2 }]);
    const phase = { phase: 2, start: seconds(1), end: seconds(3) };
    expect(searchHits(description, "phase 2", [phase])).toMatchObject([{ kind: "phase", time: { start: 1, end: 3 } }]);
    expect(searchHits(description, "0-1")).toMatchObject([{ kind: "ranks", ranks: [0, 1] }]);
    expect(searchHits(description, "94,96")).toEqual([]);
  });
  it("finds nothing for nothing", () => expect(searchHits(description, "  ")).toEqual([]));
});

describe("keys", () => {
  const press = (code: string, more: object = {}) =>
    keyAction({ code, key: "", shift: false, is_modified: false, is_typing: false, ...more });
  it("lead from view to view, also to those beyond the ninth", () =>
    expect([press("KeyN"), press("KeyN", { shift: true })]).toEqual(["next_view", "previous_view"]));
  // French keyboards have Z there
  it("are places, not letters", () => expect(press("KeyW", { key: "z" })).toBe("zoom_in"));
  it("belong to the browser with Ctrl", () => expect(press("KeyW", { is_modified: true })).toBeNull());
  it("are text where people type", () => expect(press("KeyW", { is_typing: true })).toBeNull());
  it("with Shift move ranks", () =>
    expect([press("KeyW", { shift: true }), press("KeyS", { shift: true })]).toEqual(["fewer_tracks", "more_tracks"]));
  it("change the route", () => {
    const route = { view: "timeline", selection: NOTHING_SELECTED, options: new Map() };
    expect(moved(route, description, "zoom_in")?.options.get("timeline.view")).toBe("0.5..3.5");
    expect(moved(route, description, "selection_right")?.selection.time).toMatchObject({ start: 1.84 });
    expect(moved(route, description, "help")).toBeNull();
    const shown = { count: 10, rowsOf: () => ({ from: 2, to: 4 }) };
    const selected = { ...route, selection: { ...NOTHING_SELECTED, ranks: [7] } };
    expect(moved(selected, description, "fit_selection", shown)?.options.get("timeline.rows")).toBe("2..4");
  });
  it("pressed quickly go farther: from 159 s to 1 ms in 12 presses", () => {
    let last: Repeat | null = null;
    let length = 159;
    for (let press = 0; press < 12; press += 1) {
      last = repeated(last, "zoom_in", press * 150);
      length *= 0.75 ** last.strength;
    }
    expect(length).toBeLessThan(1e-3);
    expect(repeated(last, "zoom_in", 12 * 150 + 5000).strength).toBe(1);
    expect(repeated(last, "zoom_out", 12 * 150).strength).toBe(1);
  });
});

describe("tables", () => {
  const rows = [
    ["b", 2],
    ["a", null],
    ["c", 10],
  ];
  it("sort numbers by size and put what is missing last, both ways", () => {
    expect([...arrangedRows(rows, "", { column: 1, is_descending: false })]).toEqual([0, 2, 1]);
    expect([...arrangedRows(rows, "", { column: 1, is_descending: true })]).toEqual([2, 0, 1]);
  });
  it("find text in any column", () => expect([...arrangedRows(rows, "10", null)]).toEqual([2]));
  it("keep only the rows in sight", () =>
    expect(visibleRows(26_000, 400, 26, 50_000)).toEqual({ first: 994, end: 1022 }));
  it("survive having no rows", () => expect(visibleRows(0, 400, 26, 0)).toEqual({ first: 0, end: 0 }));
});

describe("maps", () => {
  it("ask for no more cells than ranks", () =>
    expect(askedAxis({ of: "track", from: 0, to: 8, is_log: false, label: "", unit: "", names: null }, 500).cells).toBe(
      8,
    ));
  it("let offsets grow upwards", () =>
    expect(isUpwards({ of: "offset", from: 0, to: 1, is_log: false, label: "", unit: "", names: null })).toBe(true));
  it("draw stripes that can be told apart", () =>
    expect(stripeLines(1000, 500, 2500)?.map((line) => line.at)).toEqual([1000, 2000]));
  it("say so when they cannot", () => expect(stripeLines(1, 0, 1e9)).toBeNull());
});

describe("files", () => {
  it("are one row each, told by the layer nearest to the storage", () => {
    const columns = ["file_id", "layer", "sharing", "bytes_read", "reads", "writes"].map((name) => ({
      name,
      type: "",
      unit: "",
      doc: "",
    }));
    const made = report({
      metrics: {
        file_layer: {
          title: "",
          columns,
          rows: [
            ["1000", "mpiio", "all", 8, 1, 0],
            ["1000", "posix", "some", 16, 2, 0],
          ],
          rows_in_all: 2,
        },
      },
    });
    const { rows, files } = fileRows(description, made, (id) => `name of ${id}`);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.slice(0, 3)).toEqual(["name of 1000", "POSIX, MPI-IO", "some"]);
    expect(rows[0]?.[7]).toBe(16);
    expect(files).toEqual([0]);
  });
});

describe("two runs", () => {
  const [before, after] = [10, 2].map((io_s) =>
    report({
      verdict: { io_s, run_s: 20 },
      findings: io_s > 5 ? [{ id: "a" }, { id: "b" }] : [{ id: "b" }, { id: "c" }],
    }),
  ) as [Report, Report];
  it("are compared by run time first: it can shrink while I/O takes longer", () => {
    const [slow, quick] = [report({ verdict: { run_s: 4, io_s: 0.1 } }), report({ verdict: { run_s: 1, io_s: 0.2 } })];
    expect(compareSentence(slow, quick).replaceAll("\u202f", " ")).toBe(
      "Run time went from 4.00 s to 1.00 s: 4.0 times faster. Time in I/O went from 100 ms to 200 ms: 2.0 " +
        "times slower.",
    );
  });
  it("are compared in words", () => expect(compareSentence(before, after)).toContain("5.0 times faster"));
  it("are alike within noise", () =>
    expect(compareSentence(before, report({ verdict: { io_s: 10.2 } }))).toContain("no difference"));
  it("say which findings went and came", () =>
    expect(findingChanges(before, after).map((one) => [one.finding.id, one.in_first, one.in_second])).toEqual([
      ["a", true, false],
      ["b", true, true],
      ["c", false, true],
    ]));
  it("judge each number by what is better", () => {
    const deltas = deltasOf(before, after);
    expect(deltas.map((one) => [one.name, isBetter(one)])).toEqual([
      ["run time", null],
      ["time in I/O", true],
    ]);
  });
});

it("a call tree lists children under their callers, most time first", () => {
  const tree = { parent: Int32Array.from([-1, 0, 0, -1]), inclusive_s: Float64Array.from([5, 1, 3, 9]) };
  expect(treeOrder(tree as never, new Set()).map((one) => [one.row, one.depth])).toEqual([
    [3, 0],
    [0, 0],
    [2, 1],
    [1, 1],
  ]);
  expect(treeOrder(tree as never, new Set([0])).map((one) => one.row)).toEqual([3, 0]);
});
