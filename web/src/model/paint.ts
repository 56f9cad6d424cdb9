/**
 * From the numbers of a tile to the colours of its cells.
 *
 * A cell with any call is never the colour of the ground: what happened must
 * be seen, however short it was.
 */

import type { Theme } from "../base/colours";
import { groundRgb, heatRgb, kindRgb, libraryRgb, pixelWord } from "../base/colours";
import type { Kind } from "../base/kinds";
import { KINDS } from "../base/kinds";
import type { Plane, Tile } from "../data/interface";

export type ColourBy = "kind" | "longest" | "bytes" | "calls";

/**
 * Planes that a colouring needs: of kinds that do not occur (`kinds`: those that do) none is made, sent and kept.
 * `isParted`: time in libraries apart, and with it the waits in their collective calls.
 */
export function planesFor(by: ColourBy, kinds: readonly Kind[] = KINDS, isParted = false): readonly Plane[] {
  if (by !== "kind") return [by];
  const occurring = KINDS.filter((kind) => kinds.includes(kind) || (isParted && kind === "wait"));
  const planes: Plane[] = (occurring.length > 0 ? occurring : KINDS).map((kind) => `busy_${kind}` as const);
  return isParted ? [...planes, "busy_library"] : planes;
}

/** Least and most value above zero; the ends of the scale of a heat map. */
export interface HeatScale {
  readonly least: number;
  readonly most: number;
}

export function scaleOf(tile: Tile, plane: Plane): HeatScale {
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (const value of tile.planes.get(plane) ?? []) {
    if (value <= 0) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most > 0 ? { least, most } : { least: 1, most: 1 };
}

/** RGBA, row by row. */
export function paintTile(tile: Tile, by: ColourBy, theme: Theme, scale: HeatScale): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(tile.width * tile.height * 4);
  const words = new Uint32Array(pixels.buffer);
  if (by === "kind") paintKinds(tile, theme, words);
  else paintHeat(tile.planes.get(by), theme, scale, words);
  return pixels;
}

/** Lines of pixels that the summary of a group has; it is stretched to its row. */
export const SUMMARY_LINES = 24;
/** Shares that a summary may have at its upper edge: few, so that the scale seldom changes. */
const TOPS: readonly number[] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
/** Kinds from bottom to top, then time inside libraries. */
export const SUMMARY_PLANES: readonly Plane[] = [...KINDS.map((kind): Plane => `busy_${kind}`), "busy_library"];

/** Share of the processes of a group at the upper edge of its summary, row by row. */
export function topsOf(tile: Tile): number[] {
  return Array.from({ length: tile.height }, (_, row) => {
    let peak = 0;
    for (let at = row * tile.width; at < (row + 1) * tile.width; at += 1)
      peak = Math.max(
        peak,
        SUMMARY_PLANES.reduce((sum, plane) => sum + (tile.planes.get(plane)?.[at] ?? 0), 0),
      );
    return TOPS.find((top) => top >= peak - 1e-4) ?? 1;
  });
}

/** Rows of groups: how large a share of its processes is in which kind of call, one kind upon the other. */
export function paintSummaries(tile: Tile, theme: Theme): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(tile.width * tile.height * SUMMARY_LINES * 4);
  const words = new Uint32Array(pixels.buffer);
  const colours = [...KINDS.map((kind) => kindRgb(theme, kind)), libraryRgb(theme)].map(pixelWord);
  const tops = topsOf(tile);
  for (let row = 0; row < tile.height; row += 1) {
    for (let cell = 0; cell < tile.width; cell += 1) {
      let share = 0;
      let line = 0;
      SUMMARY_PLANES.forEach((plane, kind) => {
        const part = tile.planes.get(plane)?.[row * tile.width + cell] ?? 0;
        if (!(part > 0)) return;
        share += part;
        // What happened is seen, however little it was.
        const end = Math.min(SUMMARY_LINES, Math.max(line + 1, Math.round((share / (tops[row] ?? 1)) * SUMMARY_LINES)));
        for (; line < end; line += 1)
          words[((row + 1) * SUMMARY_LINES - 1 - line) * tile.width + cell] = colours[kind] ?? 0;
      });
    }
  }
  return pixels;
}

/** Tiles of one picture, with one scale for all of them. */
export function paintTogether(tiles: readonly Tile[], by: ColourBy, theme: Theme): Uint8ClampedArray<ArrayBuffer>[] {
  const scales = by === "kind" ? [] : tiles.map((tile) => scaleOf(tile, by));
  const scale = {
    least: Math.min(...scales.map((one) => one.least), Number.MAX_VALUE),
    most: Math.max(...scales.map((one) => one.most), 0),
  };
  return tiles.map((tile) => paintTile(tile, by, theme, scale));
}

const STEPS = 255;

/** Words of all colours that a picture can have in a theme, in the same order for both themes. */
const wordsOf = (by: ColourBy, theme: Theme): readonly Uint32Array[] =>
  by === "kind" ? kindTables(theme) : [heatTable(theme)];

/** The same picture in the colours of another theme, without its numbers: these were given away. */
export function recoloured(words: Uint32Array, by: ColourBy, from: Theme, to: Theme): void {
  const after = wordsOf(by, to);
  const pairs = wordsOf(by, from).flatMap((table, at) =>
    Array.from(table, (word, step) => [word, after[at]?.[step] ?? 0] as const),
  );
  const changed = new Map(pairs);
  for (let at = 0; at < words.length; at += 1) words[at] = changed.get(words[at] ?? 0) ?? words[at] ?? 0;
}

function kindTables(theme: Theme): Uint32Array[] {
  const ground = groundRgb(theme);
  return [...KINDS.map((kind) => kindRgb(theme, kind)), libraryRgb(theme)].map((full) => {
    return Uint32Array.from({ length: STEPS + 1 }, (_, step) => {
      const strength = 0.3 + 0.7 * Math.sqrt(step / STEPS);
      const mixed = full.map((part, i) => Math.round(part * strength + (ground[i] ?? 0) * (1 - strength)));
      return pixelWord([mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0]);
    });
  });
}

const heatTable = (theme: Theme): Uint32Array =>
  Uint32Array.from({ length: STEPS + 1 }, (_, step) => pixelWord(heatRgb(step / STEPS, theme)));

/** What has the most time in the cell gives the colour, the busy share its strength. */
function paintKinds(tile: Tile, theme: Theme, words: Uint32Array): void {
  const tables = kindTables(theme);
  const empty = new Float32Array(0);
  const [read = empty, write = empty, metadata = empty, wait = empty] = KINDS.map((kind) =>
    tile.planes.get(`busy_${kind}`),
  );
  const library = tile.planes.get("busy_library") ?? empty;
  for (let at = 0; at < words.length; at += 1) {
    const [a, b, c, d, e] = [read[at] ?? 0, write[at] ?? 0, metadata[at] ?? 0, wait[at] ?? 0, library[at] ?? 0];
    const sum = a + b + c + d + e;
    if (!(sum > 0)) continue;
    let kind = 0;
    let most = a;
    if (b > most) [kind, most] = [1, b];
    if (c > most) [kind, most] = [2, c];
    if (d > most) [kind, most] = [3, d];
    if (e > most) kind = 4;
    words[at] = tables[kind]?.[Math.min(STEPS, Math.ceil(sum * STEPS))] ?? 0;
  }
}

function paintHeat(values: Float32Array | undefined, theme: Theme, scale: HeatScale, words: Uint32Array): void {
  const table = heatTable(theme);
  const perLog = scale.most > scale.least ? STEPS / Math.log(scale.most / scale.least) : 0;
  for (let at = 0; at < words.length; at += 1) {
    const value = values?.[at] ?? 0;
    if (!(value > 0)) continue;
    const step = perLog === 0 ? STEPS : Math.round(Math.log(value / scale.least) * perLog);
    words[at] = table[Math.min(STEPS, Math.max(0, step))] ?? 0;
  }
}
