/** Histogram and percentiles of an area. */

import { describe, expect, it } from "vitest";
import { distributionOf, distributionRequest, exactSizes, sizeShares } from "../../src/model/distribution";
import { parseTimeline, storeOf } from "../memory/timeline";
import { tileOf } from "../memory/tile";

const store = storeOf(
  parseTimeline(`
  rank start end   size
  0    0     0.001 1000
  0    1     1.001 1000
  0    2     2.001 1000000
  1    3     3.1   1000
`),
);
const everything = {
  log: null,
  start_s: null,
  end_s: null,
  tracks: null,
  files: null,
  kinds: null,
  layers: null,
  targets: null,
};
const found = (of: "duration" | "size") => distributionOf(of, tileOf(store, distributionRequest(of, everything, 2)));

describe("the distribution of an area", () => {
  it("counts every call once", () => expect(found("duration")?.calls).toBe(4));
  it("has percentiles within 6 %", () => {
    expect(Math.abs((found("duration")?.median ?? 0) / 1e-3 - 1)).toBeLessThan(0.13);
    expect(Math.abs((found("duration")?.p99 ?? 0) / 0.1 - 1)).toBeLessThan(0.13);
    expect(Math.abs((found("size")?.p99 ?? 0) / 1e6 - 1)).toBeLessThan(0.13);
  });
  it("has bars from the least to the most", () => {
    const bars = found("size")?.bars ?? [];
    expect(bars.length).toBeLessThanOrEqual(24);
    expect(bars.map((bar) => bar.calls).filter((calls) => calls > 0)).toEqual([3, 1]);
    expect(bars[0]?.from).toBeLessThanOrEqual(1000);
  });
  it("has sizes that calls have, not ends of its bars", async () => {
    const sizes = found("size");
    if (sizes === null) throw new Error("calls have sizes");
    const ofCalls =
      (...all: number[]) =>
      ({
        least_bytes,
        below_bytes,
      }: {
        readonly least_bytes?: number | null;
        readonly below_bytes?: number | null;
      }) => {
        const inside = all.filter((size) => size >= (least_bytes ?? 0) && size < (below_bytes ?? 0));
        return Promise.resolve(inside.length > 0 ? { size: Math.max(...inside), calls: inside.length } : null);
      };
    expect(await exactSizes(sizes, ofCalls(1000, 1000, 1000, 1_000_000))).toEqual({
      least: 1000,
      median: 1000,
      p95: 1_000_000,
      p99: 1_000_000,
      most: 1_000_000,
    });
    expect(await exactSizes(sizes, () => Promise.resolve(null))).toBeNull(); // of a sample the size may be missing
    expect(sizeShares({ least: 1, median: 8, p95: 8, p99: 8, most: 9 })).toEqual([
      { share: 0.99, size: 8 },
      { share: 1, size: 9 },
    ]);
    const empty = { ...sizes, calls: 4, in_first_cell: 4, cells: { least: 0, median: 0, p95: 0, p99: 0, most: 0 } };
    // of one cell, distinguished
    expect(await exactSizes(empty, ofCalls(0, 0, 0, 1))).toEqual({ least: 0, median: 0, p95: 1, p99: 1, most: 1 });
  });
  it("of nothing is nothing", () =>
    expect(distributionOf("size", tileOf(storeOf([]), distributionRequest("size", everything, 0)))).toBeNull());
});
