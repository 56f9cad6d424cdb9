/** Decisions of single views. */

import { describe, expect, it } from "vitest";
import { parseTimeline, storeOf } from "../memory/timeline";
import { parseReport } from "../../src/data/parse_report";
import type { Report } from "../../src/data/report";
import { kindRgb, pixelWord } from "../../src/base/colours";
import { seconds } from "../../src/base/units";
import { bandsOf, movedFigures, paintBands, partedActivity, peakOf, topOf } from "../../src/model/activity";
import { treeOrder } from "../../src/model/call_tree";
import { axis, chartNodes, chartTable } from "../../src/model/chart";
import { compareSentence, deltasOf, findingChanges, isBetter } from "../../src/model/compare";
import {
  actionHeading,
  evidenceRoute,
  findingGroups,
  findingLines,
  findingsTitle,
  fittingActions,
  leadOf,
  routeTo,
  selectionOf,
  thresholdText,
} from "../../src/model/diagnosis";
import { fileRows } from "../../src/model/files";
import { activeSpan, isNearlyAll } from "../../src/model/frame";
import { keyAction } from "../../src/model/keys";
import { lanesOf } from "../../src/model/lanes";
import { askedAxis, isUpwards, stripeLines } from "../../src/model/map";
import type { Repeat } from "../../src/model/navigate";
import { moved, repeated } from "../../src/model/navigate";
import { NOTHING_SELECTED } from "../../src/model/route";
import { searchHits, timeOf } from "../../src/model/search";
import { arrangedRows, visibleRows } from "../../src/model/table";
import { roundTicks, tickText } from "../../src/model/ticks";

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
const finding = (parts: object) => {
  const made = report({ findings: [{ id: "posix/x", title: "t", severity: "warn", ...parts }] }).findings[0];
  if (!made) throw new Error("a report has the finding that was put in");
  return made;
};

describe("show me", () => {
  it("selects what the finding is about", () => {
    const selection = selectionOf(
      finding({
        ranks: [1],
        files: ["/in.h5"],
        window_s: [1, 2],
        targets: [3],
        evidence: [{ text: "", values: { op: "read", layer: "posix" } }],
      }),
      description,
    );
    expect(selection).toMatchObject({
      time: { start: 1, end: 2 },
      ranks: [1],
      kinds: ["read"],
      layers: ["posix"],
      targets: [3],
    });
    expect(selection.files?.map((file) => description.files[file]?.path)).toEqual(["/in.h5"]);
  });
  it("does not narrow to what the log does not have", () => {
    expect(selectionOf(finding({ id: "lustre/x", ranks: [99], files: ["/gone"] }), description)).toEqual(
      NOTHING_SELECTED,
    );
  });
  it("leads to the timeline with the ranks pinned", () => {
    const route = routeTo(finding({ ranks: [1], window_s: [1, 2] }), description);
    expect([route.view, route.options.get("timeline.pins")]).toEqual(["timeline", "1"]);
    // All lanes stay visible; the calls that are counted are those of the finding.
    expect([route.selection.layers, route.options.get("timeline.lanes")]).toEqual([["posix"], "all"]);
  });
  it("frames its time closely, and a few ranks of many", () => {
    const many = storeOf(
      parseTimeline(
        [
          "rank layer op file start end offset size",
          ...Array.from({ length: 100 }, (_, rank) => `${rank} posix write /out 0 100 0 8`),
        ].join("\n"),
      ),
    ).description;
    const { options } = evidenceRoute(
      { ...NOTHING_SELECTED, ranks: [41, 43], time: { start: seconds(50), end: seconds(60) } },
      many,
    );
    expect([options.get("timeline.view"), options.get("timeline.rows"), options.get("timeline.pins")]).toEqual([
      "49.2..60.8",
      "40..45",
      "41,43",
    ]);
    expect(evidenceRoute({ ...NOTHING_SELECTED, ranks: [1] }, description).options.has("timeline.rows")).toBe(false); // all are in sight anyway
  });
  it("leads to another view when no calls were recorded", () => {
    expect(routeTo(finding({ files: ["/a"] }), storeOf([]).description).view).toBe("files");
  });
});

describe("findings", () => {
  it("name the one that explains them", () => {
    const made = report({ findings: [{ id: "a" }, { id: "b", explained_by: "a" }, { id: "c", explained_by: "gone" }] });
    expect(findingLines(made).map(({ same }) => same)).toEqual([null, 1, null]);
  });
  it("stand below the first one that explains them", () => {
    const made = report({
      findings: [
        { id: "a" },
        { id: "b", explained_by: "c" },
        { id: "c", explained_by: "a" },
        { id: "d", explained_by: "d" },
      ],
    });
    const groups = findingGroups(findingLines(made));
    expect(groups.map(({ line, same }) => [line.finding.id, ...same.map(({ finding }) => finding.id)])).toEqual([
      ["a", "b", "c"],
      ["d"],
    ]);
  });
  it("have a line each, with the saving and its share of the run; what another one explains names that one", () => {
    const made = report({
      verdict: { text: "", run_s: 10 },
      findings: [
        { id: "a", severity: "high", saved_s: 2, lost_low_s: 1, lost_high_s: 3 },
        { id: "b", severity: "warn", explained_by: "a", saved_s: 2, lost_high_s: 2 },
        { id: "c", severity: "unexplained" },
        { id: "d", severity: "info" },
      ],
    });
    expect(
      findingLines(made).map(({ number, same, saving, share }) => [
        number,
        same,
        saving.replaceAll("\u202f", " "),
        share.replaceAll("\u202f", " "),
      ]),
    ).toEqual([
      [1, null, "Saves about 2 s (1 to 3)", "20 % of the run"],
      [2, 1, "same time as finding 1", ""],
      [3, null, "Cause unknown", ""],
      [4, null, "The saving is unknown", ""],
    ]);
  });
  it("are counted as they are shown, those that win next to nothing apart", () => {
    const title = (...findings: readonly object[]): string => findingsTitle(findingLines(report({ findings })));
    expect(title()).toBe("No findings.");
    expect(title({ id: "a", severity: "warn" }, { id: "b", severity: "info" })).toBe("1 finding, 1 minor finding");
    expect(title({ id: "a", severity: "warn" }, { id: "b", severity: "info", explained_by: "a" })).toBe(
      "1 finding, 1 more about the same seconds",
    );
    expect(title({ id: "a", severity: "warn" }, { id: "b", severity: "unexplained" })).toBe(
      "1 finding, I/O time without a known cause",
    );
    expect(title({ id: "a", severity: "info" }, { id: "b", severity: "ok" })).toBe("2 minor findings");
  });
  it("say what their thresholds mean, in words where the report has them", () => {
    expect(thresholdText("min_part", { value: 0.5, unit: "1", label: "part: at least", why: "" })).toBe(
      "part: at least 0.5",
    );
    expect(thresholdText("min_bytes", { value: 1024, unit: "bytes", label: "", why: "" })).toBe(
      "min_bytes = 1.00\u202fKiB",
    );
  });
  it("show the fix that the report says fits, and name the direction of each", () => {
    const headings = (actions: readonly object[]): (string | null)[][] => {
      const { fitting, others } = fittingActions(finding({ actions }));
      return [fitting.map(actionHeading), others.map(actionHeading)];
    };
    const [any, reading, writing] = [
      { stack: "any", fits: true, text: "a" },
      { stack: "HDF5", op: "read", fits: true, text: "r" },
      { stack: "HDF5", op: "write", text: "w" },
    ];
    expect(headings([any, reading, writing])).toEqual([[null, "HDF5, reading"], ["HDF5, writing"]]);
    expect(headings([{ stack: "any", op: "write", fits: true, text: "" }])[0]).toEqual(["Writing"]);
    expect(headings([writing])).toEqual([["HDF5, writing"], []]);
  });
  it("say in a folded card the line and the first sentence of the fix", () => {
    const lead = (text: string, source: readonly string[] = []) =>
      leadOf(finding({ actions: [{ stack: "any", fits: true, text }], source }));
    expect(lead("Open it once, as in 1.5 s. Then write.\n\nMore.", ["save (/home/me/app.c:3), calls fopen"])).toEqual({
      place: "save (app.c:3)",
      fix: "Open it once, as in 1.5 s.",
    });
    expect(lead("Write\nwithout holes.")?.fix).toBe("Write without holes.");
    expect(lead("As a function:\n\n```python\nf()\n```")).toEqual({ place: null, fix: "As a function." });
    expect(lead("```c\nf(); // once.\n```")).toBe(null);
  });
});

describe("the frame of a finding", () => {
  const whole = { start: seconds(0), end: seconds(100) };
  const activity = (from: number, to: number) => {
    const busy_tracks = new Float32Array(200);
    busy_tracks.fill(1, 100 + from, 100 + to);
    return { layers: ["posix"], cells: 100, busy_tracks, bytes_per_s: busy_tracks, longest_s: busy_tracks };
  };
  it("reaches from its first to its last call", () => {
    expect(activeSpan(activity(40, 50), whole)).toEqual({ start: 40, end: 50 });
    expect(activeSpan(activity(0, 90), whole)).toEqual({ start: 0, end: 90 });
    expect(activeSpan(activity(0, 0), whole)).toBe(null);
  });
  it("is the whole run only where the calls are nearly everywhere", () => {
    expect([90, 96].map((end) => isNearlyAll({ start: seconds(0), end: seconds(end) }, whole))).toEqual([false, true]);
  });
});

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
  it("are places, not letters", () => expect(press("KeyW", { key: "z" })).toBe("zoom_in")); // French keyboards have Z there
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

describe("charts", () => {
  const chart = {
    title: "t",
    summary: "s",
    x: axis("rank", "rank"),
    y: axis("time", "s"),
    is_stacked: true,
    series: [
      { name: "read", colour: "red", shape: "bar" as const, x: [0, 1], y: [1, null] },
      { name: "write", colour: "blue", shape: "bar" as const, x: [0, 1], y: [2, 3] },
    ],
  };
  const colours = { ink: "#000", faint: "#eee", ground: "#fff" };
  it("draw no bar for what was not measured", () => {
    const bars = chartNodes({ ...chart, is_stacked: false }, 400, 200, colours).filter((one) => one.tag === "rect");
    expect(bars).toHaveLength(3);
  });
  it("have the same numbers as their table", () =>
    expect(chartTable(chart).rows).toEqual([
      [0, 1, 2],
      [1, null, 3],
    ]));
  it("have no numbers beyond the picture", () => {
    for (const one of chartNodes(chart, 400, 200, colours))
      for (const value of Object.values(one.attributes))
        if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
  });
  it("have round ticks in the unit that is written", () => {
    expect(roundTicks(0, 5e6, 4, "bytes")).toEqual([0, 2 ** 21, 2 ** 22]);
    expect(roundTicks(0, 3000, 5, "s")).toEqual([0, 600, 1200, 1800, 2400, 3000]);
  });
  it("keep to one unit of time", () => {
    expect([0, 300, 900].map((value) => tickText(value, 1200, "s").replace("\u202f", " "))).toEqual([
      "0 s",
      "5 min",
      "15 min",
    ]);
    expect(tickText(0.5, 2, "s").replace("\u202f", " ")).toBe("500 ms");
  });
  it("stack areas of activity", () => {
    const activity = {
      layers: ["posix"],
      cells: 2,
      busy_tracks: Float32Array.from([1, 0, 1, 2, 0, 0, 0, 0]),
      bytes_per_s: new Float32Array(8),
      longest_s: new Float32Array(2),
    };
    expect(bandsOf(activity, activity.busy_tracks, ["posix"], 10, 10, 2).map((band) => [band.kind, band.path])).toEqual(
      [
        ["read", "M0 10.0V5.0H5.0V10.0H10.0V10.0H5.0V10.0H0.0Z"],
        ["write", "M0 5.0V0.0H5.0V0.0H10.0V10.0H5.0V5.0H0.0Z"],
      ],
    );
  });
  it("have one scale at every width: whole ranks, of one process the share of the time", () => {
    expect([0, 0.09, 0.94, 1, 1.2, 612.3].map((peak) => topOf(peak, "tracks"))).toEqual([0, 1, 1, 1, 2, 613]);
    expect(topOf(0.3, "bytes")).toBe(0.3);
  });
  it("show time in a library apart, as its lane does", () => {
    const tile = {
      width: 2,
      height: 1,
      is_exact: true,
      planes: new Map([
        ["busy_write", Float32Array.from([0.25, 0])],
        ["busy_library", Float32Array.from([0.5, 1])],
      ] as const),
    };
    const made = partedActivity(tile, "netcdf", 4);
    expect(bandsOf(made, made.busy_tracks, ["netcdf"], 2, 4, 4).map((band) => band.kind)).toEqual(["write", "library"]);
    expect(peakOf(made, made.busy_tracks, ["netcdf"])).toBe(4);
  });
  it("a headline says read only, where nothing is written", () => {
    const layer_op = {
      title: "",
      rows_in_all: 2,
      columns: ["layer", "op", "bytes"].map((name) => ({ name, type: "", unit: "", doc: "" })),
      rows: [
        ["posix", "read", 1000],
        ["hdf5_dataset", "write", 5],
      ],
    };
    expect(movedFigures(1000, layer_op)).toEqual([{ of: "read", bytes: 1000 }]);
    expect(movedFigures(1010, { ...layer_op, rows: [...layer_op.rows, ["stdio", "write", 10]] })).toEqual([
      { of: "read", bytes: 1000 },
      { of: "written", bytes: 10 },
    ]);
    expect(movedFigures(9000, layer_op)).toEqual([{ of: "moved", bytes: 9000 }]);
  });
  it("paint the same as pixels, a column per cell, nothing where nothing was", () => {
    const activity = {
      layers: ["posix"],
      cells: 3,
      busy_tracks: Float32Array.from([1, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0]),
      bytes_per_s: new Float32Array(12),
      longest_s: new Float32Array(3),
    };
    const words = new Uint32Array(paintBands(activity, activity.busy_tracks, ["posix"], 2, 2, "light").buffer);
    const [read, write] = [pixelWord(kindRgb("light", "read")), pixelWord(kindRgb("light", "write"))];
    expect([...words]).toEqual([write, write, 0, read, write, 0]);
  });
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
      "Run time went from 4.00 s to 1.00 s: 4.0 times faster. Time in I/O went from 100 ms to 200 ms: 2.0 times slower.",
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
