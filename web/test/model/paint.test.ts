import { describe, expect, it } from "vitest";
import { GROUND_HEX, groundRgb, heatRgb, kindRgb, libraryRgb } from "../../src/base/colours";
import type { Plane, Tile } from "../../src/data/interface";
import { paintTile, planesFor, recoloured, scaleOf } from "../../src/model/paint";

const tile = (planes: Partial<Record<Plane, number[]>>): Tile => ({
  width: 2,
  height: 1,
  is_exact: true,
  planes: new Map(Object.entries(planes).map(([name, values]) => [name as Plane, Float32Array.from(values)])),
});
const pixel = (pixels: Uint8ClampedArray, at: number): number[] => [...pixels.slice(at * 4, at * 4 + 4)];
const none = { least: 1, most: 1 };

describe("cells by kind of call", () => {
  it("without a call show the ground", () =>
    expect(pixel(paintTile(tile({ busy_read: [0, 1] }), "kind", "light", none), 0)).toEqual([0, 0, 0, 0]));
  it("busy all the time have the full colour", () => {
    expect(pixel(paintTile(tile({ busy_write: [1, 0] }), "kind", "light", none), 0)).toEqual([
      ...kindRgb("light", "write"),
      255,
    ]);
  });
  it("with the shortest call are not the ground", () => {
    for (const theme of ["light", "dark"] as const) {
      const [r, g, b, a] = pixel(paintTile(tile({ busy_read: [1e-9, 0] }), "kind", theme, none), 0);
      expect(a).toBe(255);
      expect(`#${[r, g, b].map((part) => part?.toString(16).padStart(2, "0")).join("")}`).not.toBe(GROUND_HEX[theme]);
    }
  });
  it("take the colour of the kind with the most time", () => {
    const [mixed, alone] = [{ busy_read: [0.1, 0], busy_wait: [0.9, 0] }, { busy_wait: [1, 0] }].map((planes) =>
      pixel(paintTile(tile(planes), "kind", "dark", none), 0),
    );
    expect(mixed).toEqual(alone);
  });
  it("have a colour of their own for the time inside a library", () => {
    expect(pixel(paintTile(tile({ busy_write: [0.2, 0], busy_library: [0.8, 0] }), "kind", "light", none), 0)).toEqual([
      ...libraryRgb("light"),
      255,
    ]);
    expect(planesFor("kind", ["write"], true)).toEqual(["busy_write", "busy_wait", "busy_library"]);
    expect(planesFor("bytes", ["write"], true)).toEqual(["bytes"]);
  });
});

describe("heat", () => {
  it("has its ends at the least and the most that occur", () => {
    const made = tile({ longest: [0, 0.5] });
    expect(scaleOf(made, "longest")).toEqual({ least: 0.5, most: 0.5 });
    expect(pixel(paintTile(made, "longest", "light", scaleOf(made, "longest")), 0)).toEqual([0, 0, 0, 0]);
  });
  it("is logarithmic: ten stands in the middle of one and a hundred", () => {
    const ten = pixel(paintTile(tile({ longest: [10, 1] }), "longest", "light", { least: 1, most: 100 }), 0);
    expect(ten.slice(0, 3)).toEqual(heatRgb(128 / 255, "light").map(Math.round));
  });
});

it("planes of kinds that do not occur are not asked for", () => {
  expect(planesFor("kind", ["write", "read", "write"])).toEqual(["busy_read", "busy_write"]);
  expect(planesFor("longest", ["read"])).toEqual(["longest"]);
  expect(planesFor("kind", [])).toHaveLength(4);
});

it("the least heat stands out from the ground: an outlier is a cell of one call", () => {
  const light = ([r, g, b]: readonly number[]): number =>
    [r, g, b]
      .map((part) => (part ?? 0) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, at) => sum + part * ([0.2126, 0.7152, 0.0722][at] ?? 0), 0);
  for (const theme of ["light", "dark"] as const) {
    const [cell, ground] = [light(heatRgb(0, theme)), light(groundRgb(theme))];
    expect((Math.max(cell, ground) + 0.05) / (Math.min(cell, ground) + 0.05), theme).toBeGreaterThan(2);
  }
});

it("a picture in another theme is what this theme would have painted", () => {
  const made = tile({ busy_read: [0.2, 0], busy_write: [0.1, 0.7] });
  for (const by of ["kind", "bytes"] as const) {
    const of = by === "kind" ? made : tile({ bytes: [3, 90] });
    const scale = by === "kind" ? none : scaleOf(of, "bytes");
    const pixels = paintTile(of, by, "dark", scale);
    recoloured(new Uint32Array(pixels.buffer), by, "dark", "light");
    expect([...pixels]).toEqual([...paintTile(of, by, "light", scale)]);
  }
});
