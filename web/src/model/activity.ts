/** How many ranks are in a call, as stacked areas; and the bandwidth of the run. */

import type { Theme } from "../base/colours";
import { kindRgb, libraryRgb, pixelWord } from "../base/colours";
import { KINDS } from "../base/kinds";
import type { Kind } from "../base/kinds";
import { ABOVE_OTHERS } from "../base/generated/layers";
import type { Activity, Plane, Tile } from "../data/interface";
import type { AccountRow, MetricTable } from "../data/report";
import type { Seconds } from "../base/units";
import { metricRowsOf, numberOr, textOf } from "./metric";
import type { TimeWindow } from "./time_axis";
import { lengthOf } from "./time_axis";

/** Kinds of calls, and time in a library while no call below it runs. */
export type BandKind = Kind | "library";
const BANDS: readonly BandKind[] = [...KINDS, "library"];

/** Activity of one layer with the time in its library apart, as its lane has it. */
export interface PartedActivity extends Activity {
  /** Mean number of tracks in the library, cell by cell. */
  readonly library_tracks?: Float32Array;
}

export interface Band {
  readonly kind: BandKind;
  /** SVG path in pixels. */
  readonly path: string;
}

/** Values of one layer and kind, cell by cell. */
export function seriesOf(activity: PartedActivity, values: Float32Array, layer: string, kind: BandKind): Float32Array {
  if (kind === "library") return activity.library_tracks ?? new Float32Array(0);
  const at = (activity.layers.indexOf(layer) * KINDS.length + KINDS.indexOf(kind)) * activity.cells;
  return at < 0 ? new Float32Array(0) : values.subarray(at, at + activity.cells);
}

/** A tile of one row over all tracks as activity: seconds per second and track become tracks. */
export function partedActivity(tile: Tile, layer: string, tracks: number): PartedActivity {
  const cells = tile.width;
  const plane = (name: Plane): Float32Array =>
    (tile.planes.get(name) ?? new Float32Array(cells)).map((share) => share * tracks);
  const busy_tracks = new Float32Array(KINDS.length * cells);
  KINDS.forEach((kind, at) => busy_tracks.set(plane(`busy_${kind}`), at * cells));
  return {
    layers: [layer],
    cells,
    busy_tracks,
    bytes_per_s: new Float32Array(KINDS.length * cells),
    longest_s: new Float32Array(cells),
    library_tracks: plane("busy_library"),
  };
}

/**
 * The value at the upper edge of a picture. Of ranks a whole number: then a height means the same
 * at every width and zoom, and one process in a call for half of the time fills half of the height.
 */
export const topOf = (peak: number, what: "tracks" | "bytes"): number =>
  what === "bytes" ? peak : peak > 0 ? Math.max(1, Math.ceil(peak - 0.005)) : 0;

/** Largest sum over kinds at one moment. */
export function peakOf(activity: PartedActivity, values: Float32Array, layers: readonly string[]): number {
  let peak = 0;
  for (let cell = 0; cell < activity.cells; cell += 1) {
    let sum = 0;
    for (const layer of layers) for (const kind of BANDS) sum += seriesOf(activity, values, layer, kind)[cell] ?? 0;
    peak = Math.max(peak, sum);
  }
  return peak;
}

const cellAt = (activity: PartedActivity, window: TimeWindow, at: Seconds): number | null => {
  const cell = Math.floor(((at - window.start) / lengthOf(window)) * activity.cells);
  return cell < 0 || cell >= activity.cells ? null : cell;
};

/** What each kind has at a moment, those that have nothing left out; none outside of what was asked for. */
export function partsAt(
  activity: PartedActivity,
  values: Float32Array,
  layers: readonly string[],
  window: TimeWindow,
  at: Seconds,
): { readonly kind: BandKind; readonly value: number }[] {
  const cell = cellAt(activity, window, at);
  if (cell === null) return [];
  return BANDS.map((kind) => ({
    kind,
    value: layers.reduce((sum, layer) => sum + (seriesOf(activity, values, layer, kind)[cell] ?? 0), 0),
  })).filter(({ value }) => value > 0);
}

/** Sum over kinds at a moment; null: outside of what was asked for. */
export const valueAt = (...asked: Parameters<typeof partsAt>): number | null =>
  cellAt(asked[0], asked[3], asked[4]) === null ? null : partsAt(...asked).reduce((sum, { value }) => sum + value, 0);

/** Stacked heights: from `base` to `tops`, in the unit of the values, cell by cell. */
interface Stacked {
  readonly kind: BandKind;
  readonly base: Float64Array;
  readonly tops: Float64Array;
}

function stackedOf(activity: PartedActivity, values: Float32Array, layers: readonly string[]): Stacked[] {
  let base = new Float64Array(activity.cells);
  return BANDS.flatMap((kind) => {
    const tops = new Float64Array(base);
    let isAny = false;
    for (const layer of layers) {
      const series = seriesOf(activity, values, layer, kind);
      for (let cell = 0; cell < series.length; cell += 1) {
        const value = series[cell] ?? 0;
        tops[cell] = (tops[cell] ?? 0) + value;
        isAny ||= value > 0;
      }
    }
    if (!isAny) return [];
    const band = { kind, base, tops };
    base = tops;
    return [band];
  });
}

/** Stacked steps: each cell keeps its value over its whole width. For files: on the screen they are pixels. */
export function bandsOf(
  activity: PartedActivity,
  values: Float32Array,
  layers: readonly string[],
  width: number,
  height: number,
  peak: number,
): Band[] {
  const step = width / activity.cells;
  const y = (value: number): string => (height - (peak > 0 ? (value / peak) * height : 0)).toFixed(1);
  return stackedOf(activity, values, layers).map(({ kind, base, tops }) => {
    let path = `M0 ${y(base[0] ?? 0)}`;
    for (let cell = 0; cell < activity.cells; cell += 1)
      path += `V${y(tops[cell] ?? 0)}H${((cell + 1) * step).toFixed(1)}`;
    for (let cell = activity.cells - 1; cell >= 0; cell -= 1)
      path += `V${y(base[cell] ?? 0)}H${(cell * step).toFixed(1)}`;
    return { kind, path: `${path}Z` };
  });
}

/**
 * The same as pixels, one column per cell: stretching a picture costs nothing, and drawing
 * thousands of steps anew for every frame does.
 *
 * Sync and metadata have an edge of ink: their colours alone do not stand out from the ground.
 */
export function paintBands(
  activity: PartedActivity,
  values: Float32Array,
  layers: readonly string[],
  height: number,
  peak: number,
  theme: Theme,
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(activity.cells * height * 4);
  const words = new Uint32Array(pixels.buffer);
  const ink = pixelWord(theme === "light" ? [29, 33, 38] : [230, 230, 225]); // --ink of the style sheet
  const y = (value: number): number => Math.round(height - (peak > 0 ? (value / peak) * height : 0));
  for (const { kind, base, tops } of stackedOf(activity, values, layers)) {
    const colour = pixelWord(kind === "library" ? libraryRgb(theme) : kindRgb(theme, kind));
    const isOutlined = kind === "wait" || kind === "metadata";
    for (let cell = 0; cell < activity.cells; cell += 1) {
      if ((tops[cell] ?? 0) <= (base[cell] ?? 0)) continue;
      const bottom = y(base[cell] ?? 0);
      const top = Math.min(y(tops[cell] ?? 0), bottom - 1); // what happened is seen, however little it was
      for (let row = Math.max(0, top); row < bottom; row += 1)
        words[row * activity.cells + cell] = isOutlined && row === top ? ink : colour;
    }
  }
  return pixels;
}

/** Layers whose bytes reach the file system: those above would count the same bytes again. */
export function lowestLayers(layers: readonly string[]): readonly string[] {
  const lowest = layers.filter((layer) => !ABOVE_OTHERS.includes(layer));
  return lowest.length > 0 ? lowest : layers.slice(-1);
}

/** A layer that carries less than this of the most time of any layer only accompanies the others. */
const CARRIES = 0.1;

/**
 * The layers in which the run is seen best: the highest one that reads or writes for a
 * good part of the time. `MPI_Init` alone makes no layer of data, so a program that
 * uses MPI without MPI-IO is seen in POSIX.
 *
 * `layers`: those with calls, the one nearest to the program first. `layer_op`: the
 * metric table of that name. `account`: what it does not count, such as NetCDF variables.
 */
export function dataLayers(
  layers: readonly string[],
  layer_op: MetricTable | null,
  account: readonly AccountRow[] = [],
): readonly string[] {
  const time_s = new Map<string, number>();
  for (const row of metricRowsOf(layer_op)) {
    if (row("op") !== "read" && row("op") !== "write") continue;
    const layer = textOf(row("layer"));
    if (numberOr(row("calls"), 0) > 0) time_s.set(layer, (time_s.get(layer) ?? 0) + numberOr(row("process_s"), 0));
  }
  const counted = new Set(metricRowsOf(layer_op).map((row) => textOf(row("layer"))));
  for (const row of account) {
    if (!counted.has(row.layer) && ["read", "write", "library"].includes(row.class))
      time_s.set(row.layer, (time_s.get(row.layer) ?? 0) + row.time_s);
  }
  const most = Math.max(0, ...time_s.values());
  const highest = layers.find((layer) => (time_s.get(layer) ?? -1) >= most * CARRIES);
  return highest !== undefined && ABOVE_OTHERS.includes(highest) ? [highest] : lowestLayers(layers);
}

/**
 * Kinds to show of such layers. Above the file system opens, closes and `MPI_Init` are mostly waiting: below it they
 * are work.
 */
export const dataKinds = (layers: readonly string[]): readonly Kind[] | null =>
  layers.some((layer) => ABOVE_OTHERS.includes(layer)) ? ["read", "write", "wait"] : null;

/** Bytes of a headline by direction: `moved` where the layers do not add up to what the report says. */
export function movedFigures(
  bytes: number | null,
  layer_op: MetricTable | null,
): { readonly of: "moved" | "read" | "written"; readonly bytes: number | null }[] {
  const lowest = lowestLayers([...new Set(metricRowsOf(layer_op).map((row) => textOf(row("layer"))))]);
  const of = (op: string): number =>
    metricRowsOf(layer_op).reduce(
      (sum, row) => sum + (row("op") === op && lowest.includes(textOf(row("layer"))) ? numberOr(row("bytes"), 0) : 0),
      0,
    );
  const [read, written] = [of("read"), of("write")];
  if (bytes === null || Math.abs(read + written - bytes) > 0.01 * bytes) return [{ of: "moved", bytes }];
  return [
    { of: "read" as const, bytes: read },
    { of: "written" as const, bytes: written },
  ].filter((one) => one.bytes > 0);
}
