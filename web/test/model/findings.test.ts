/** What the view Diagnosis shows of findings, and where it leads. */

import { describe, expect, it } from "vitest";
import { parseTimeline, storeOf } from "../memory/timeline";
import { parseReport } from "../../src/data/parse_report";
import type { Report } from "../../src/data/report";
import { seconds } from "../../src/base/units";
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
import { activeSpan, isNearlyAll } from "../../src/model/frame";
import { NOTHING_SELECTED } from "../../src/model/route";

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
  const made = report({ findings: [{ id: "posix/x", layer: "posix", title: "t", severity: "warn", ...parts }] })
    .findings[0];
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
  it("selects the layers of its check where the evidence names none", () => {
    expect(selectionOf(finding({ id: "python/x" }), description).layers).toEqual(["posix"]);
    expect(selectionOf(finding({ layer: "" }), description).layers).toBeNull();
  });
  it("does not narrow to what the log does not have", () => {
    expect(selectionOf(finding({ layer: "lustre", ranks: [99], files: ["/gone"] }), description)).toEqual(
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
    // all are in sight anyway
    expect(evidenceRoute({ ...NOTHING_SELECTED, ranks: [1] }, description).options.has("timeline.rows")).toBe(false);
  });
  it("leads to another view when no calls were recorded", () => {
    expect(routeTo(finding({ files: ["/a"] }), storeOf([]).description).view).toBe("files");
  });
});

describe("findings", () => {
  it("stand below the one that counts the same time", () => {
    const made = report({ findings: [{ id: "a" }, { id: "b", same_time_as: 1 }, { id: "c" }] });
    const groups = findingGroups(findingLines(made));
    expect(groups.map(({ line, same }) => [line.finding.id, ...same.map(({ finding }) => finding.id)])).toEqual([
      ["a", "b"],
      ["c"],
    ]);
  });
  it("have a line each, with the saving and its share of the run; what another one explains names that one", () => {
    const made = report({
      verdict: { text: "", run_s: 10 },
      findings: [
        { id: "a", severity: "high", saved_s: 2, lost_low_s: 1, lost_high_s: 3 },
        { id: "b", severity: "warn", same_time_as: 1, saved_s: 2, lost_high_s: 2 },
        { id: "c", severity: "unexplained", title: "Time that no check explains", heading: "3 s in ftruncate" },
        { id: "d", severity: "info", title: "Small files" },
      ],
    });
    expect(findingLines(made).map(({ title }) => title)).toEqual(["", "", "3 s in ftruncate", "Small files"]);
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
    expect(title({ id: "a", severity: "warn" }, { id: "b", severity: "info", same_time_as: 1 })).toBe(
      "1 finding, 1 more about the same seconds",
    );
    expect(title({ id: "a", severity: "warn" }, { id: "b", severity: "unexplained" })).toBe(
      "1 finding, I/O time without a known cause",
    );
    expect(title({ id: "a", severity: "info" }, { id: "b", severity: "ok" })).toBe(
      "1 minor finding, 1 check of note passed",
    );
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
