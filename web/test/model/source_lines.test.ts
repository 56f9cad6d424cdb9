import { describe, expect, it } from "vitest";
import type { Finding, SourceCost } from "../../src/data/report";
import {
  calledBy,
  callersText,
  frameOf,
  latePlace,
  linesSum,
  placeOf,
  shortSource,
  sourceLines,
  wholeSource,
} from "../../src/model/source_lines";

const line = (change: Partial<SourceCost>): SourceCost => ({
  source: "set::put (/home/me/set.f90:3)",
  symbol: "__set_MOD_put",
  layer: "posix",
  calls: 1,
  time_s: 1,
  callers: [],
  ...change,
});

describe("a source line", () => {
  it("goes without its folders, with its whole name for the pointer", () => {
    expect(shortSource("save (/home/me/a.cpp:4), calls std::endl")).toBe("save (a.cpp:4), calls std::endl");
    expect(shortSource("gzwrite (/usr/lib/libz.so.1)")).toBe("gzwrite (/usr/lib/libz.so.1)");
    expect(wholeSource(line({}))).toBe("__set_MOD_put: set::put (/home/me/set.f90:3)");
  });
  it("stands apart from what it calls, long names without their begin", () => {
    const source = "save (/home/me/a.cpp:4), calls std::endl";
    expect([placeOf(source), calledBy(source), calledBy("save (a.cpp:4)")]).toEqual([
      "save (a.cpp:4)",
      "std::endl",
      "",
    ]);
    const long = placeOf(`${"space::".repeat(20)}save (/home/me/a.cpp:4)`);
    expect([long.length, long.startsWith("…"), long.endsWith("::save (a.cpp:4)")]).toEqual([64, true, true]);
  });
  it("is the frame of its calls", () => {
    expect(frameOf(line({}))).toBe("/home/me/set.f90:3 __set_MOD_put");
    expect(frameOf(line({ source: "f (lib.so)" }))).toBeNull();
  });
  it("names the places that its function is called from", () => {
    expect(
      callersText(
        line({
          callers: [
            { source: "main (/a/m.c:9)", share: 0.75 },
            { source: "step (/a/s.c:2)", share: 0.25 },
          ],
        }),
      ).replaceAll("\u202f", " "),
    ).toBe("called from main (m.c:9) 75 %, step (s.c:2) 25 %");
    expect(callersText(line({}))).toBe("");
  });
  it("of a report without costs is only its name", () => {
    expect(sourceLines({ source: ["a.c:1"], lines: [] } as unknown as Finding)).toEqual([
      { source: "a.c:1", symbol: null, layer: "", calls: 0, time_s: 0, callers: [], isCosted: false },
    ]);
  });
  it("have a sum, with the lines that are not named; one line is its own", () => {
    const lines = [line({ calls: 4, time_s: 1.5 })];
    expect(linesSum({ lines, other_lines: { lines: 2, calls: 3, time_s: 0.5 } } as unknown as Finding)).toEqual({
      calls: 7,
      time_s: 2,
    });
    expect(linesSum({ lines, other_lines: null } as unknown as Finding)).toBeNull();
  });
  it("of a late rank are the code it runs, and the calls around it", () => {
    const part = (kind: "call" | "between" | "code", until: string | null = null) =>
      latePlace({ kind, source: "load (/s/a.c:3), calls read", until, time_s: 2, others_s: 0.1 });
    expect([
      part("between", "save (/s/b.c:9), calls write"),
      part("between", "load (/s/a.c:3), calls read"),
      part("code"),
      part("call"),
    ]).toEqual([
      "between load (a.c:3) and save (b.c:9)",
      "between two calls at load (a.c:3)",
      "load (a.c:3), processor time",
      "in load (a.c:3), calls read",
    ]);
  });
});
