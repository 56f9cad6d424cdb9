/** All views of one log show the same seconds: calls, call tree, flame graph, timeline and selected area. */

import { describe, expect, it } from "vitest";
import type { Kind } from "../../src/base/kinds";
import { KINDS } from "../../src/base/kinds";
import { phaseParts } from "../../src/model/phases";
import { filterOf, NOTHING_SELECTED, wholeWindow } from "../../src/model/route";
import { stackRows } from "../../src/views/source/stack_rows";
import { stacked } from "../browser/fixture";
import { REPORT } from "../data/sources";
import { MemorySource } from "../memory/source";
import { parseStacks, parseTimeline, storeOf } from "../memory/timeline";

const text = stacked();
const source = new MemorySource(storeOf(parseTimeline(text), {}, parseStacks(text)), REPORT);
const whole = async () => {
  const description = await source.describe();
  return { description, filter: filterOf(NOTHING_SELECTED, description), window: wholeWindow(description) };
};
const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0);

describe("seconds by kind", () => {
  it("are those of the call tree in the flame graph: a call inside another one counts once", async () => {
    const { description, filter } = await whole();
    const tree = await source.callTree(filter, true);
    const { rows, isNested } = await stackRows(source, description, filter, new AbortController().signal);
    expect(isNested).toBe(false);
    const ofTree = (kind: Kind) => sum(tree.exclusive_s.filter((_, row) => tree.kind[row] === kind));
    const ofStacks = (kind: Kind) => sum(rows.filter((row) => row.kind === kind).map((row) => row.time_s));
    for (const kind of KINDS) expect(ofStacks(kind)).toBeCloseTo(ofTree(kind), 6);
  });
  it("are those of the calls in the statistics of the whole run, layer by layer", async () => {
    const { description, filter, window } = await whole();
    const calls = await source.calls(filter, "start", 1e6);
    const area = await source.areaStatistics({ ...filter, start_s: window.start, end_s: window.end }, 5);
    for (const { layer, kind, time_s } of area.kinds) {
      const own = Array.from({ length: calls.count }, (_, at) => at)
        .filter((at) => description.layers[calls.layer[at] ?? 0] === layer)
        .filter((at) => description.op_kinds[calls.op[at] ?? 0] === kind)
        .map((at) => (calls.end_s[at] ?? 0) - (calls.start_s[at] ?? 0));
      expect(time_s).toBeCloseTo(sum(own), 6);
    }
  });
  it("are the areas of the curves of the timeline", async () => {
    const { filter, window } = await whole();
    const cells = 1000;
    const asked = { ...filter, layers: ["posix"], start_s: window.start, end_s: window.end };
    const [activity, tree] = [await source.activity(asked, cells), await source.callTree(asked, false)];
    const cell_s = (window.end - window.start) / cells;
    expect(sum(activity.busy_tracks) * cell_s).toBeCloseTo(sum(tree.inclusive_s), 1);
  });
});

it("reads and writes of a phase stand where their bytes move", async () => {
  const { filter, window } = await whole();
  const asked = { ...filter, layers: ["posix"], start_s: window.start, end_s: window.end };
  const activity = await source.activity(asked, 500);
  const phase = {
    log: 0,
    layer: "posix",
    phase: 0,
    start: window.start,
    end: window.end,
    bytes_read: 1,
    bytes_written: 1,
    ranks: 1,
  };
  const parts = phaseParts([phase], activity, window);
  const calls = await source.calls({ ...asked, kinds: ["write"] }, "start", 1e6);
  const write = parts.find(({ kind }) => kind === "write");
  const cell_s = (window.end - window.start) / 500;
  expect(Math.abs((write?.start ?? 0) - Math.min(...calls.start_s))).toBeLessThan(2 * cell_s);
  expect(Math.abs((write?.end ?? 0) - Math.max(...calls.end_s))).toBeLessThan(2 * cell_s);
});
