import { describe, expect, it } from "vitest";
import { cssPixels, seconds } from "../../src/base/units";
import type { TimeWindow } from "../../src/model/time_axis";
import {
  isCovered,
  keptInside,
  lengthOf,
  panned,
  visibleSpan,
  ticksOf,
  tilePlan,
  timeAt,
  xOf,
  zoomed,
} from "../../src/model/time_axis";

const window = (start: number, end: number): TimeWindow => ({ start: seconds(start), end: seconds(end) });
const whole = window(0, 100);
const width = cssPixels(1000);

describe("places in time", () => {
  it("a moment in the middle is in the middle", () => expect(xOf(seconds(5), window(0, 10), width)).toBe(500));
  it("the start belongs to the window", () => expect(xOf(seconds(0), window(0, 10), width)).toBe(0));
  it("the end does not", () => expect(xOf(seconds(10), window(0, 10), width)).toBeNull());
  it("a moment outside has no place", () => expect(xOf(seconds(-1), window(0, 10), width)).toBeNull());
  it("an empty window has no places", () => expect(xOf(seconds(5), window(5, 5), width)).toBeNull());
  it("a place leads back to its moment", () => expect(timeAt(cssPixels(250), window(2, 6), width)).toBe(3));
  it("a stretch is cut at the edges", () =>
    expect(visibleSpan(window(-5, 5), window(0, 10), width)).toEqual({ x: 0, width: 500 }));
  it("a stretch outside is nothing", () => expect(visibleSpan(window(11, 12), window(0, 10), width)).toBeNull());
});

describe("zoom", () => {
  it("keeps the moment under the pointer where it is", () => {
    const near = zoomed(window(0, 100), seconds(30), 0.5, whole);
    expect(xOf(seconds(30), near, width)).toBeCloseTo(300);
    expect(lengthOf(near)).toBe(50);
  });
  it("does not leave the run", () => expect(zoomed(window(10, 90), seconds(50), 10, whole)).toEqual(whole));
  it("ends at a nanosecond", () =>
    expect(lengthOf(zoomed(window(50, 50 + 1e-9), seconds(50), 0.01, whole))).toBeCloseTo(1e-9, 12));
  it("a pan stops at the end with the same length", () =>
    expect(panned(window(80, 95), 1, whole)).toEqual(window(85, 100)));
  it("a window beside the run is moved into it", () =>
    expect(keptInside(window(-20, -10), whole)).toEqual(window(0, 10)));
});

describe("tiles", () => {
  it("have cells at most a pixel wide", () => {
    for (const length of [100, 37.3, 1, 0.001]) {
      const plan = tilePlan(window(20, 20 + length), width, window(0, 1000));
      expect(lengthOf(plan.window) / plan.cells).toBeLessThanOrEqual((length / 1000) * 1.0001);
    }
  });
  it("are the same for neighbouring views, so that small pans ask for nothing", () => {
    const plan = tilePlan(window(20, 30), width, whole);
    expect(isCovered(window(20, 30), width, plan)).toBe(true);
    expect(isCovered(window(22, 32), width, plan)).toBe(true);
    expect(isCovered(window(20, 28), width, plan)).toBe(true);
  });
  it("are too coarse for a deep zoom", () =>
    expect(isCovered(window(20, 21), width, tilePlan(window(20, 30), width, whole))).toBe(false));
  it("do not reach a far place", () =>
    expect(isCovered(window(60, 70), width, tilePlan(window(20, 30), width, whole))).toBe(false));
  it("stay bounded", () => expect(tilePlan(window(20, 30), width, whole).cells).toBeLessThan(4000));
});

describe("ticks", () => {
  it("are round", () => expect(ticksOf(0, 10, 5)).toEqual({ step: 2, at: [0, 2, 4, 6, 8, 10] }));
  it("survive an empty axis", () => expect(ticksOf(3, 3, 5).at).toEqual([3]));
});
