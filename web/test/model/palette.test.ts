/** The palette by numbers: contrast in both themes, colours that differ, one meaning for each. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Rgb, Theme } from "../../src/base/colours";
import {
  GROUND_HEX,
  groundRgb,
  heatRgb,
  KIND_HEX,
  kindRgb,
  LIBRARY_HEX,
  libraryRgb,
  SERIES_HEX,
} from "../../src/base/colours";
import { contrast, inkOn } from "../../src/base/contrast";
import { KINDS } from "../../src/base/kinds";
import { inkOf } from "../../src/widgets/ink";
import { oklabDistance } from "./oklab";

const style = readFileSync("src/app/style/base.css", "utf8");
const hex = (text: string): Rgb => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)) as unknown as Rgb;

/** Variables of the style sheet in one theme. */
function variables(theme: Theme): Map<string, string> {
  const block = (selector: string): string => style.slice(style.indexOf(selector)).split("}")[0] ?? "";
  const found = (text: string): [string, string][] =>
    [...text.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map(([, name = "", value = ""]) => [name, value]);
  return new Map([...found(block(":root {")), ...(theme === "dark" ? found(block(':root[data-theme="dark"] {')) : [])]);
}

const TEXT = ["ink", "soft", "dim", "accent", "high", "warn", "info", "ok"];
const MARKS = [
  "read",
  "write",
  "metadata",
  "wait",
  "sync",
  "map",
  "library",
  "conversion",
  "exchange",
  "edge",
  "focus",
];
const OWN = ["read", "write", "metadata", "wait", "sync"];

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  const of = variables(theme);
  const value = (name: string): Rgb => hex(of.get(name) ?? "");
  it("text has a contrast of 4.5 with every ground that it stands on", () => {
    for (const name of TEXT)
      for (const ground of ["ground", "raised"])
        expect([name, ground, contrast(value(name), value(ground)) >= 4.5]).toEqual([name, ground, true]);
    expect(contrast(value("accent"), value("accent-ground"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(value("ground"), value("accent"))).toBeGreaterThanOrEqual(4.5); // the text of a filled button
    expect(contrast(value("soft"), value("sunken"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(hex(inkOf(theme).ink), value("ground"))).toBeGreaterThanOrEqual(4.5);
    for (const kind of KINDS)
      expect([kind, contrast(kindRgb(theme, kind), inkOn(kindRgb(theme, kind))) >= 4.5]).toEqual([kind, true]);
  });
  it("marks have a contrast of 3 with every ground that they stand on", () => {
    for (const name of MARKS)
      for (const ground of ["ground", "raised"])
        expect([name, ground, contrast(value(name), value(ground)) >= 3]).toEqual([name, ground, true]);
    for (const colour of SERIES_HEX[theme])
      expect([colour, contrast(hex(colour), groundRgb(theme)) >= 3]).toEqual([colour, true]);
    for (const share of [0, 0.25, 0.5, 0.75, 1])
      expect([share, contrast(heatRgb(share, theme), groundRgb(theme)) >= 3]).toEqual([share, true]);
  });
  it("the style sheet and the canvases have the same colours", () => {
    for (const kind of KINDS) expect(of.get(kind)).toBe(KIND_HEX[theme][kind]);
    expect(of.get("library")).toBe(LIBRARY_HEX[theme]);
    expect(of.get("ground")).toBe(GROUND_HEX[theme]);
  });
  it("kinds of calls differ, also with the common colour-vision deficiencies", () => {
    KINDS.forEach((kind, at) =>
      KINDS.slice(at + 1).forEach((other) =>
        expect([kind, other, oklabDistance(kindRgb(theme, kind), kindRgb(theme, other)) >= 12.5]).toEqual([
          kind,
          other,
          true,
        ]),
      ),
    );
  });
  it("time inside libraries differs from the kinds of calls, too", () => {
    for (const kind of KINDS)
      expect([kind, oklabDistance(kindRgb(theme, kind), libraryRgb(theme)) >= 12.5]).toEqual([kind, true]);
    expect(contrast(libraryRgb(theme), inkOn(libraryRgb(theme)))).toBeGreaterThanOrEqual(4.5);
  });
  it("data exchange differs from the other parts of the run time", () => {
    for (const other of ["read", "write", "metadata", "wait", "sync", "map", "library", "conversion"])
      expect([other, oklabDistance(value("exchange"), value(other), ["normal"]) >= 14]).toEqual([other, true]);
  });
  it("two parts of one colour differ by their shade (fillOf of time_account.ts)", () => {
    for (const name of ["wait", "library"]) {
      const shaded = value(name).map((part, at) => 0.62 * part + 0.38 * (value("shade")[at] ?? 0)) as unknown as Rgb;
      expect([
        name,
        contrast(shaded, value("ground")) >= 3,
        oklabDistance(shaded, value(name), ["normal"]) >= 5,
      ]).toEqual([name, true, true]);
    }
  });
  it("no other mark has the colour of a kind of calls", () => {
    const others = [
      ...SERIES_HEX[theme].map(hex),
      ...["accent", "high", "warn", "ok", "map", "conversion", "exchange"].map(value),
    ];
    for (const other of others)
      expect(["library", other, oklabDistance(libraryRgb(theme), other, ["normal"]) >= 4]).toEqual([
        "library",
        other,
        true,
      ]);
    for (const own of OWN)
      for (const other of others)
        expect([own, other, oklabDistance(value(own), other, ["normal"]) >= 8]).toEqual([own, other, true]);
  });
  it("two runs, and a rank and its median, differ for everybody", () => {
    const [first = "", second = "", third = "", fourth = ""] = SERIES_HEX[theme];
    for (const [a, b] of [
      [first, second],
      [first, third],
      [second, third],
      [first, fourth],
    ] as const)
      expect([a, b, oklabDistance(hex(a), hex(b)) >= 8]).toEqual([a, b, true]);
  });
});
