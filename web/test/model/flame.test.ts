/** Boxes of call stacks. */

import { describe, expect, it } from "vitest";
import { bytes, seconds } from "../../src/base/units";
import { flameOf, foundShare, ownFrames, shortFrame, through } from "../../src/model/flame";

const row = (frames: string[], time: number, kind: "read" | "write" = "write") => ({
  frames,
  layer: "posix",
  kind,
  calls: 1,
  bytes: bytes(10),
  time_s: seconds(time),
});
const rows = [row(["save", "main"], 3), row(["load", "main"], 1, "read")];

describe("a flame graph", () => {
  it("has callers above what they call, the widest first", () => {
    const { boxes, depth, total } = flameOf(rows, "time_s");
    expect([depth, total]).toEqual([3, 4]);
    expect(boxes.map((box) => [box.name, box.depth, box.left, box.width])).toEqual([
      ["main", 0, 0, 1],
      ["save", 1, 0, 0.75],
      ["POSIX write", 2, 0, 0.75],
      ["load", 1, 0.75, 0.25],
      ["POSIX read", 2, 0.75, 0.25],
    ]);
    expect(boxes[2]?.kind).toBe("write");
  });
  it("inverted has the calls on top", () => {
    expect(
      flameOf(rows, "calls", true)
        .boxes.filter((box) => box.depth === 0)
        .map((box) => [box.name, box.width]),
    ).toEqual([
      ["POSIX write", 0.5],
      ["POSIX read", 0.5],
    ]);
  });
  it("below a box fills the width with it", () => {
    expect(flameOf(rows, "time_s", false, ["main", "load"]).boxes[1]).toMatchObject({
      name: "load",
      width: 1,
      value: 1,
    });
  });
  it("counts what is found inside of found boxes once", () => {
    expect(foundShare(flameOf([row(["b_io", "a_io"], 1), row(["x"], 3)], "time_s"), "_IO")).toBe(0.25);
  });
  it("has the frames that a person wrote", () => {
    expect(ownFrames(["/p/ceval.c:114 eval", "/home/a/run.py:10 log", "_start"])).toEqual(["/home/a/run.py:10 log"]);
    expect(ownFrames(["write", "/a/main.c:12 save", "../csu/libc-start.c:360 start", "_start"])).toEqual([
      "/a/main.c:12 save",
    ]);
    expect(ownFrames(["a.out+0x12"])).toEqual(["a.out+0x12"]);
    expect([shortFrame("/a/b/main.c:12 save"), shortFrame("main"), shortFrame("/usr/bin/bash+0x5")]).toEqual([
      "main.c:12 save",
      "main",
      "bash+0x5",
    ]);
  });
  it("shows callers and calls of a frame over all stacks that contain it", () => {
    const all = [
      row(["flush", "save", "main"], 3),
      row(["flush", "close", "main"], 1),
      row(["load", "main"], 4, "read"),
    ];
    const { callers, callees, share } = through(all, "time_s", "flush");
    expect(share).toBe(0.5);
    expect(callers.boxes.map((box) => [box.name, box.depth, box.width])).toEqual([
      ["save", 0, 0.75],
      ["main", 1, 0.75],
      ["close", 0, 0.25],
      ["main", 1, 0.25],
    ]);
    expect(callees.boxes.map((box) => [box.name, box.depth, box.value])).toEqual([
      ["flush", 0, 4],
      ["POSIX write", 1, 4],
    ]);
  });
  it("counts a frame that calls itself once", () => {
    const { callers, callees } = through([row(["walk", "walk", "main"], 2)], "time_s", "walk");
    expect(callers.boxes.map((box) => box.name)).toEqual(["main"]);
    expect(callees.boxes.map((box) => [box.name, box.value])).toEqual([
      ["walk", 2],
      ["walk", 2],
      ["POSIX write", 2],
    ]);
  });
  it("leaves out what nobody could see", () => {
    expect(flameOf([row(["a"], 10_000), row(["b"], 1)], "time_s").boxes.map((box) => box.name)).toEqual([
      "a",
      "POSIX write",
    ]);
  });
});
