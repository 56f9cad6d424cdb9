/** The calls of one rank over time, each below what made it: frames of its stack, then calls inside calls. */

import type { Kind } from "../base/kinds";
import type { CssPixels, Seconds } from "../base/units";
import { seconds } from "../base/units";
import { layerName } from "../base/text";
import type { CallColumns, Description } from "../data/interface";
import { shortFrame } from "./flame";
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
}

export interface RankCalls {
  readonly boxes: readonly RankBox[];
  readonly rows: number;
}

/** What lies deeper has no room in a strip. */
const MAX_ROWS = 12;

/** Name of a call of a list: its function, else layer and operation. */
const nameOf = (calls: CallColumns, at: number, { functions, layers, ops }: Description): string =>
  functions[calls.function[at] ?? -1] ?? `${layerName(layers[calls.layer[at] ?? 0] ?? "")} ${ops[calls.op[at] ?? 0] ?? ""}`;

/** `framesOf`: the frames of a stack, innermost first. */
export function rankCalls(calls: CallColumns, description: Description, framesOf: (stack: number) => readonly string[]): RankCalls {
  const boxes: RankBox[] = [];
  const order = Array.from({ length: calls.count }, (_, at) => at)
    .sort((a, b) => (calls.start_s[a] ?? 0) - (calls.start_s[b] ?? 0) || (calls.end_s[b] ?? 0) - (calls.end_s[a] ?? 0));
  /** Frames that the last call was made in, outermost first; and calls that have not ended. */
  let path: RankBox[] = [];
  let open: RankBox[] = [];
  for (const at of order) {
    const [start, end] = [seconds(calls.start_s[at] ?? 0), seconds(calls.end_s[at] ?? 0)];
    open = open.filter((box) => box.end > start);
    if (open.length === 0) {
      const frames = [...framesOf(calls.stack[at] ?? -1)].reverse().slice(0, MAX_ROWS - 4).map(shortFrame);
      const first = frames.findIndex((name, row) => path[row]?.name !== name);
      const kept = path.slice(0, first < 0 ? frames.length : first);
      const fresh = frames.slice(kept.length).map((name, row) => ({ row: kept.length + row, start, end, name, kind: null, call: null }));
      boxes.push(...fresh);
      path = [...kept, ...fresh];
    }
    for (const box of path) box.end = seconds(Math.max(box.end, end));
    const row = Math.max(path.length - 1, ...open.map((box) => box.row)) + 1;
    if (row >= MAX_ROWS) continue;
    const box = { row, start, end, name: nameOf(calls, at, description), kind: description.op_kinds[calls.op[at] ?? 0] ?? "metadata", call: calls.index[at] ?? 0 };
    boxes.push(box);
    open.push(box);
  }
  return { boxes, rows: Math.max(0, ...boxes.map((box) => box.row + 1)) };
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
    return [{ box, x: part.x, width: wide, label: room >= 3 ? (box.name.length <= room ? box.name : `${box.name.slice(0, room - 1)}…`) : "" }];
  });
}

/** The box under a place of the picture; the shortest where several are. */
export function boxAt({ boxes }: RankCalls, at: Seconds, row: number, near: Seconds): RankBox | null {
  const found = boxes.filter((box) => box.row === row && box.start - near <= at && at <= box.end + near);
  return found.reduce<RankBox | null>((best, box) => (best === null || box.end - box.start < best.end - best.start ? box : best), null);
}
