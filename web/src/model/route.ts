/**
 * What the page shows, as text in the address: view, selection, and how the view is set.
 *
 * `#timeline?t=2.85..3.52&ranks=97-100&kinds=write&o.by=longest`
 */

import type { Kind } from "../base/kinds";
import { KINDS } from "../base/kinds";
import type { FileIndex, Seconds } from "../base/units";
import { fileIndex, seconds, track } from "../base/units";
import type { CallFilter, Description } from "../data/interface";
import { readRanges, writeRanges } from "./ranges";
import type { SizeClass } from "./size_class";
import { readSizeClass, writeSizeClass } from "./size_class";
import type { TimeWindow } from "./time_axis";

/** The one selection that filters every view; null narrows nothing. */
export interface Selection {
  readonly log: number | null;
  readonly time: TimeWindow | null;
  readonly ranks: readonly number[] | null;
  readonly files: readonly FileIndex[] | null;
  readonly kinds: readonly Kind[] | null;
  readonly layers: readonly string[] | null;
  readonly targets: readonly number[] | null;
  /** Names of functions, or of operations where the log has no function. */
  readonly functions: readonly string[] | null;
  /** Names of errors, such as `ENOSPC`. */
  readonly errors: readonly string[] | null;
  /** Names of regions of the program. */
  readonly regions: readonly string[] | null;
  /** Numbers of steps of the program. */
  readonly steps: readonly number[] | null;
  /** Calls that take longer than this. */
  readonly longer: Seconds | null;
  /** Calls that move so many bytes. */
  readonly sizes: SizeClass | null;
  /** A frame of the call stacks. */
  readonly frame: string | null;
}

export interface Route {
  readonly view: string;
  readonly selection: Selection;
  /** How views are set (order, zoom, sorting), by `view.name`. */
  readonly options: ReadonlyMap<string, string>;
}

export const NOTHING_SELECTED: Selection = {
  log: null,
  time: null,
  ranks: null,
  files: null,
  kinds: null,
  layers: null,
  targets: null,
  functions: null,
  errors: null,
  regions: null,
  steps: null,
  longer: null,
  sizes: null,
  frame: null,
};

export const isNarrowed = (selection: Selection): boolean => Object.values(selection).some((part) => part !== null);

/** Views that show the whole run whatever is selected. */
export const UNFILTERED_VIEWS: readonly string[] = ["diagnosis", "compare", "tables"];

/** Nine digits after the point: nanoseconds, and no `0.30000000000000004`. */
const writeTime = (value: number): string => String(Number(value.toFixed(9)));

export const writeWindow = (window: TimeWindow): string => `${writeTime(window.start)}..${writeTime(window.end)}`;

export function readWindow(text: string | null | undefined): TimeWindow | null {
  const match = /^(-?[\d.eE+-]+?)\.\.(-?[\d.eE+-]+)$/.exec(text ?? "");
  const [start, end] = [Number(match?.[1]), Number(match?.[2])];
  if (!Number.isFinite(start) || !Number.isFinite(end) || end <= start) return null;
  return { start: seconds(start), end: seconds(end) };
}

export function writeRoute({ view, selection, options }: Route): string {
  const words = new URLSearchParams();
  if (selection.log !== null) words.set("log", String(selection.log));
  if (selection.time) words.set("t", writeWindow(selection.time));
  if (selection.ranks) words.set("ranks", writeRanges(selection.ranks));
  if (selection.files) words.set("files", writeRanges(selection.files));
  if (selection.kinds) words.set("kinds", selection.kinds.join(","));
  if (selection.layers) words.set("layers", selection.layers.join(","));
  if (selection.targets) words.set("targets", writeRanges(selection.targets));
  for (const name of selection.functions ?? []) words.append("fn", name); // names may hold commas
  for (const name of selection.errors ?? []) words.append("err", name);
  for (const name of selection.regions ?? []) words.append("region", name);
  if (selection.steps) words.set("steps", writeRanges(selection.steps));
  if (selection.longer !== null) words.set("longer", writeTime(selection.longer));
  if (selection.sizes) words.set("size", writeSizeClass(selection.sizes));
  if (selection.frame !== null) words.set("frame", selection.frame);
  for (const [name, value] of options) words.set(`o.${name}`, value);
  const text = words.toString().replaceAll("%2C", ",");
  return `#${encodeURIComponent(view)}${text === "" ? "" : `?${text}`}`;
}

/** Reads what can be read; the rest of a mangled address is ignored. */
export function readRoute(hash: string, defaultView: string): Route {
  const [view = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const words = new URLSearchParams(query);
  const list = (name: string): string[] | null =>
    words
      .get(name)
      ?.split(",")
      .filter((word) => word !== "") ?? null;
  const ranges = (name: string): number[] | null => readRanges(words.get(name) ?? "");
  const kinds = list("kinds")?.flatMap((word) => KINDS.find((kind) => kind === word) ?? []) ?? null;
  const [functions, errors, regions] = ["fn", "err", "region"].map((word) =>
    words.getAll(word).filter((name) => name !== ""),
  );
  const longer = Number(words.get("longer") ?? "");
  const options = new Map<string, string>();
  for (const [name, value] of words) if (name.startsWith("o.")) options.set(name.slice(2), value);
  return {
    view: safeDecode(view) || defaultView,
    selection: {
      log: ranges("log")?.[0] ?? null,
      time: readWindow(words.get("t")),
      ranks: ranges("ranks"),
      files: ranges("files")?.map(fileIndex) ?? null,
      kinds: kinds?.length ? kinds : null,
      layers: list("layers"),
      targets: ranges("targets"),
      functions: functions?.length ? functions : null,
      errors: errors?.length ? errors : null,
      regions: regions?.length ? regions : null,
      steps: ranges("steps"),
      longer: Number.isFinite(longer) && longer > 0 ? seconds(longer) : null,
      sizes: readSizeClass(words.get("size") ?? words.get("o.calls.sizes")), // the second: links of older pages
      frame: words.get("frame") || null,
    },
    options,
  };
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** The selection as the data interface takes it. Ranks that have no calls fall out. */
export function filterOf(selection: Selection, description: Description): CallFilter {
  let tracks: CallFilter["tracks"] = null;
  if (selection.ranks !== null) {
    const wanted = new Set(selection.ranks);
    tracks = [...description.tracks.rank].flatMap((rank, at) => (wanted.has(rank) ? track(at) : []));
  }
  return {
    log: selection.log,
    start_s: selection.time?.start ?? null,
    end_s: selection.time?.end ?? null,
    tracks,
    files: selection.files,
    kinds: selection.kinds,
    layers: selection.layers,
    targets: selection.targets,
    functions: selection.functions,
    errors: selection.errors,
    regions: selection.regions,
    steps: selection.steps,
    longer_s: selection.longer,
    least_bytes: selection.sizes?.low_bytes ?? null,
    below_bytes: selection.sizes?.end_bytes ?? null,
    frame: selection.frame,
  };
}

export const wholeWindow = ({ window }: Description): TimeWindow => {
  const start = window.start_s;
  const end = window.end_s > start ? window.end_s : ((start + 1) as Seconds); // a job of no time still has an axis
  return { start, end };
};
