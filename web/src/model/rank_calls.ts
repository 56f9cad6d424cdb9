/**
 * The calls of one rank over time, each below what made it: its thread, frames of its stack, then calls inside calls.
 */

import type { Kind } from "../base/kinds";
import type { CssPixels, Seconds } from "../base/units";
import { seconds } from "../base/units";
import { layerName, text } from "../base/text";
import type { CallColumns, Description } from "../data/interface";
import { shortFrame } from "./flame";
import type { Span } from "./own_time";
import { layersBelow, ownSpans, united } from "./own_time";
import type { TimeWindow } from "./time_axis";
import { visibleSpan } from "./time_axis";

export interface RankBox {
  readonly row: number;
  readonly start: Seconds;
  end: Seconds;
  readonly name: string;
  /** null: a frame of a stack, which lasts from its first to its last call. */
  readonly kind: Kind | null;
  /** Index of the call; null: a frame. */
  readonly call: number | null;
  /** When no call below it runs: its library works, or waits for other ranks. Empty: no library, or not known. */
  readonly own: readonly Span[];
  /** Whether it waits then. */
  readonly isCollective: boolean;
}

export interface RankCalls {
  readonly boxes: readonly RankBox[];
  readonly rows: number;
}

/** What lies deeper has no room in a strip; many threads share it. */
const MAX_ROWS = 12;
const MAX_ROWS_OF_ALL = 96;

/** Calls by thread, in the order of their starts; threads in the order of their first calls. */
function byThread(calls: CallColumns): readonly (readonly [thread: number, places: readonly number[]])[] {
  const order = Array.from({ length: calls.count }, (_, at) => at).sort(
    (a, b) => (calls.start_s[a] ?? 0) - (calls.start_s[b] ?? 0) || (calls.end_s[b] ?? 0) - (calls.end_s[a] ?? 0),
  );
  const groups = new Map<number, number[]>();
  for (const at of order) {
    const thread = calls.thread[at] ?? Number.NaN; // NaN is one key
    const group = groups.get(thread);
    if (group) group.push(at);
    else groups.set(thread, [at]);
  }
  return [...groups];
}

/** Name of a call of a list: its function, else layer and operation. */
const nameOf = (calls: CallColumns, at: number, { functions, layers, ops }: Description): string =>
  functions[calls.function[at] ?? -1] ??
  `${layerName(layers[calls.layer[at] ?? 0] ?? "")} ${ops[calls.op[at] ?? 0] ?? ""}`;

/** By layer, when a call of the layers below it runs; null: none of the log's layers is below it. */
function timesBelow(
  calls: CallColumns,
  places: readonly number[],
  { layers }: Description,
): readonly (readonly Span[] | null)[] {
  return layers.map((layer) => {
    const below = layersBelow(layer, layers).map((name) => layers.indexOf(name));
    if (below.length === 0) return null;
    return united(
      places
        .filter((at) => below.includes(calls.layer[at] ?? -1))
        .map((at): Span => [calls.start_s[at] ?? 0, calls.end_s[at] ?? 0]),
    );
  });
}

/** `framesOf`: the frames of a stack, innermost first. */
export function rankCalls(
  calls: CallColumns,
  description: Description,
  framesOf: (stack: number) => readonly string[],
): RankCalls {
  const threads = byThread(calls);
  if (threads.length < 2) return callsOfThread(calls, threads[0]?.[1] ?? [], description, framesOf, MAX_ROWS);
  const most = Math.min(MAX_ROWS, Math.max(2, Math.floor(MAX_ROWS_OF_ALL / threads.length)));
  const boxes: RankBox[] = [];
  let rows = 0;
  for (const [thread, places] of threads) {
    const first = rows;
    const made = callsOfThread(calls, places, description, framesOf, most - 1);
    const start = seconds(Math.min(...made.boxes.map((box) => box.start))); // a list has some thousand calls
    const end = seconds(Math.max(...made.boxes.map((box) => box.end)));
    const name = Number.isNaN(thread)
      ? text.timeline.call.noThread
      : `${text.timeline.call.thread.toLowerCase()} ${thread}`;
    boxes.push(
      { row: first, start, end, name, kind: null, call: null, own: [], isCollective: false },
      ...made.boxes.map((box) => ({ ...box, row: box.row + first + 1 })),
    );
    rows = first + 1 + made.rows;
  }
  return { boxes, rows };
}

/** The calls of one thread, in the order of their starts, in at most so many rows. */
function callsOfThread(
  calls: CallColumns,
  order: readonly number[],
  description: Description,
  framesOf: (stack: number) => readonly string[],
  most: number,
): RankCalls {
  const boxes: RankBox[] = [];
  // Of a part of the calls one does not know what is missing below.
  const below = calls.count < calls.count_in_all ? [] : timesBelow(calls, order, description);
  /** Frames that the last call was made in, outermost first; and calls that have not ended. */
  let path: RankBox[] = [];
  let open: RankBox[] = [];
  for (const at of order) {
    const [start, end] = [seconds(calls.start_s[at] ?? 0), seconds(calls.end_s[at] ?? 0)];
    open = open.filter((box) => box.end > start);
    if (open.length === 0) {
      const frames = [...framesOf(calls.stack[at] ?? -1)]
        .reverse()
        .slice(0, Math.max(0, most - 4))
        .map(shortFrame);
      const first = frames.findIndex((name, row) => path[row]?.name !== name);
      const kept = path.slice(0, first < 0 ? frames.length : first);
      const fresh = frames.slice(kept.length).map((name, row) => ({
        row: kept.length + row,
        start,
        end,
        name,
        kind: null,
        call: null,
        own: [],
        isCollective: false,
      }));
      boxes.push(...fresh);
      path = [...kept, ...fresh];
    }
    for (const box of path) box.end = seconds(Math.max(box.end, end));
    const row = Math.max(path.length - 1, ...open.map((box) => box.row)) + 1;
    if (row >= most) continue;
    const kind = description.op_kinds[calls.op[at] ?? 0] ?? "metadata";
    const others = kind === "wait" ? null : (below[calls.layer[at] ?? -1] ?? null);
    const own = others === null ? [] : ownSpans([start, end], others);
    const box = {
      row,
      start,
      end,
      name: nameOf(calls, at, description),
      kind,
      call: calls.index[at] ?? 0,
      own,
      isCollective: calls.is_collective[at] === 1,
    };
    boxes.push(box);
    open.push(box);
  }
  return { boxes, rows: Math.max(0, ...boxes.map((box) => box.row + 1)) };
}

/** A piece of a box in one colour: of its kind, or of what its library does itself. */
export interface Piece {
  readonly x: number;
  readonly width: number;
  readonly of: Kind | "library";
}

/** The colours of a box from left to right. */
export function piecesOf(box: RankBox, view: TimeWindow, width: CssPixels): Piece[] {
  if (box.kind === null) return [];
  const { kind } = box;
  const inside = box.own.length === 0 ? [[box.start, box.end] as Span] : ownSpans([box.start, box.end], box.own);
  const placed = (spans: readonly Span[], of: Piece["of"]): Piece[] =>
    spans.flatMap(([start, end]) => {
      const part = visibleSpan({ start: seconds(start), end: seconds(end) }, view, width);
      return part === null ? [] : [{ x: part.x, width: Math.max(LEAST_WIDTH, part.width), of }];
    });
  return [...placed(box.own, box.isCollective ? "wait" : "library"), ...placed(inside, kind)].sort((a, b) => a.x - b.x);
}

/** A box with its place in the picture. */
export interface PlacedBox {
  readonly box: RankBox;
  readonly x: number;
  readonly width: number;
  /** As much of the name as fits. */
  readonly label: string;
}

const CHARACTER = 6.3;
const LEAST_WIDTH = 0.8;

/** Boxes in sight; of those that fall on one pixel the first stands for all of its row and kind. */
export function placedBoxes({ boxes }: RankCalls, view: TimeWindow, width: CssPixels): PlacedBox[] {
  const reach = new Map<string, number>();
  return boxes.flatMap((box) => {
    const part = visibleSpan(box, view, width);
    if (part === null) return [];
    const key = `${box.row} ${box.kind ?? ""}`;
    if (part.x + part.width < (reach.get(key) ?? -1)) return [];
    const wide = Math.max(LEAST_WIDTH, part.width);
    reach.set(key, part.x + wide);
    const room = Math.floor((wide - 6) / CHARACTER);
    return [
      {
        box,
        x: part.x,
        width: wide,
        label: room >= 3 ? (box.name.length <= room ? box.name : `${box.name.slice(0, room - 1)}…`) : "",
      },
    ];
  });
}

/** The box under a place of the picture; the shortest where several are. */
export function boxAt({ boxes }: RankCalls, at: Seconds, row: number, near: Seconds): RankBox | null {
  const found = boxes.filter((box) => box.row === row && box.start - near <= at && at <= box.end + near);
  return found.reduce<RankBox | null>(
    (best, box) => (best === null || box.end - box.start < best.end - best.start ? box : best),
    null,
  );
}
