import { describe, expect, it } from "vitest";
import { fileIndex, seconds } from "../../src/base/units";
import { readRanges, writeRanges } from "../../src/model/ranges";
import type { Route } from "../../src/model/route";
import { isNarrowed, NOTHING_SELECTED, readRoute, writeRoute } from "../../src/model/route";

const full: Route = {
  view: "timeline",
  selection: {
    log: 2,
    time: { start: seconds(2.85), end: seconds(3.52) },
    ranks: [97, 98, 99, 100, 203],
    files: [fileIndex(3)],
    kinds: ["write"],
    layers: ["mpiio", "posix"],
    targets: [213],
    functions: ["pwrite64", "a,b"],
    errors: ["ENOSPC"],
    regions: ["check, point"],
    steps: [3, 4, 5],
    longer: seconds(0.1),
    sizes: { low_bytes: 101, end_bytes: 1025 },
    frame: "main.c:12 write_all",
  },
  options: new Map([
    ["timeline.by", "node"],
    ["timeline.view", "2.5..4"],
  ]),
};

describe("the address", () => {
  it("holds everything that is shown, and reads as it was written", () => {
    expect(readRoute(writeRoute(full), "diagnosis")).toEqual(full);
  });

  it("is short enough to read", () => {
    expect(writeRoute(full)).toBe(
      "#timeline?log=2&t=2.85..3.52&ranks=97-100,203&files=3&kinds=write&layers=mpiio,posix&targets=213" +
        "&fn=pwrite64&fn=a,b&err=ENOSPC&region=check,+point&steps=3-5&longer=0.1&size=101..1025" +
        "&frame=main.c%3A12+write_all&o.timeline.by=node&o.timeline.view=2.5..4",
    );
  });

  it("selects nothing when it says nothing", () => {
    const route = readRoute("", "diagnosis");
    expect(route.view).toBe("diagnosis");
    expect(isNarrowed(route.selection)).toBe(false);
    expect(route.selection).toEqual(NOTHING_SELECTED);
  });

  it.each([
    ["#timeline?t=5..3", "an end before the start"],
    ["#timeline?t=a..b", "words for times"],
    ["#timeline?ranks=9-1", "a range that runs backwards"],
    ["#timeline?ranks=0-99999999999", "more ranks than any job has"],
    ["#timeline?kinds=eat", "a kind that does not exist"],
    ["#timeline?longer=-1", "a duration below zero"],
    ["#timeline?longer=x&fn=&err=", "words for durations, and no names"],
    ["#%E0%A4%A", "a broken escape"],
  ])("ignores %s (%s)", (hash) => {
    expect(isNarrowed(readRoute(hash, "diagnosis").selection)).toBe(false);
  });
});

describe("ranges", () => {
  it("join neighbours", () => expect(writeRanges([3, 1, 2, 7, 9, 10])).toBe("1-3,7,9-10"));
  it("read as they were written", () => expect(readRanges("1-3,7,9-10")).toEqual([1, 2, 3, 7, 9, 10]));
  it("are refused when mangled", () => expect(readRanges("1-3,x")).toBeNull());
});
