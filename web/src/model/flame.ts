/** Call stacks as boxes: callers above what they call (icicle), or the other way round. */

import type { Kind } from "../base/kinds";
import { layerName, text } from "../base/text";
import type { StackCosts } from "../data/interface";

export type FlameBy = "time_s" | "calls" | "bytes";

export interface FlameBox {
  /** Frames from the root to this box. */
  readonly path: readonly string[];
  readonly name: string;
  /** The kind of most of its time: its colour. null: of nothing. */
  readonly kind: Kind | null;
  /** The call itself, not one of its callers. */
  readonly isCall: boolean;
  readonly depth: number;
  /** Left end and width as shares of the whole. */
  readonly left: number;
  readonly width: number;
  readonly value: number;
  /** All that passes through it. */
  readonly sums: FlameSums;
  /** The same of another run; null: there is none. */
  readonly before: number | null;
}

export interface FlameSums {
  readonly time_s: number;
  readonly calls: number;
  readonly bytes: number;
}

export interface Flame {
  readonly boxes: readonly FlameBox[];
  readonly depth: number;
  readonly total: number;
  /** Of the other run; null: there is none. */
  readonly before: number | null;
}

interface Node {
  value: number;
  before: number | null;
  isCall: boolean;
  readonly sums: { time_s: number; calls: number; bytes: number };
  /** Value by kind. */
  readonly kinds: Map<Kind, number>;
  readonly children: Map<string, Node>;
}

/** Boxes that are narrower than this share are left out. */
const LEAST_SHARE = 0.0005;

const node = (): Node => ({
  value: 0,
  before: null,
  isCall: false,
  sums: { time_s: 0, calls: 0, bytes: 0 },
  kinds: new Map(),
  children: new Map(),
});

/** A line of a program in a language that an interpreter runs. */
const IS_SCRIPT = /\.(py|pyx|R|r|jl|pl|rb|sh):\d+( |$)/;
const HAS_LINE = /:\d+( |$)/;

/**
 * The frames that a person wrote: of a script those of the script, else those with a source line,
 * else all. What runs the interpreter says nothing about the program.
 */
export function ownFrames(frames: readonly string[]): readonly string[] {
  const script = frames.filter((frame) => IS_SCRIPT.test(frame));
  if (script.length > 0) return script;
  const lines = frames.filter(
    (frame) => HAS_LINE.test(frame) && !/(libc-start\.c|libc_start_call_main\.h):/.test(frame),
  );
  return lines.length > 0 ? lines : frames;
}

/** `/a/b/main.c:12 write_all` without the folders. */
export const shortFrame = (frame: string): string => frame.replace(/^\S*\/(?=[^/\s]+)/, "");

/** What the call is, as the last box of its stack. */
export const callName = (row: StackCosts["rows"][number]): string =>
  `${layerName(row.layer)} ${text.kindsShort[row.kind]}`;

/**
 * `isInverted`: the calls stand on top, their callers below. `root`: only stacks below these
 * boxes, which fill the width. `others`: stacks of another run, with which each box is compared.
 */
export function flameOf(
  rows: StackCosts["rows"],
  by: FlameBy,
  isInverted = false,
  root: readonly string[] = [],
  others: StackCosts["rows"] | null = null,
): Flame {
  const top = node();
  const nameOf = others === null ? (frame: string) => frame : withoutLine;
  const namesOf = (row: StackCosts["rows"][number]): readonly string[] => {
    const frames = row.frames.map(nameOf);
    return isInverted ? [callName(row), ...frames] : [...frames.reverse(), callName(row)];
  };
  for (const row of rows) {
    const names = namesOf(row);
    if (root.every((name, at) => names[at] === name)) add(top, names, row, by);
  }
  for (const row of others ?? []) {
    const names = namesOf(row);
    if (root.every((name, at) => names[at] === name)) addBefore(top, names, row[by]);
  }
  return boxesOf(top);
}

/** Lines move when a program is changed: runs are compared by file and function. */
const withoutLine = (frame: string): string => frame.replace(/:\d+(?= |$)/, "");

/** What leads to a frame and what it leads to, over all stacks that contain it. */
export interface Through {
  /** Its callers, the nearest on top. */
  readonly callers: Flame;
  /** The frame, and what it calls. */
  readonly callees: Flame;
  /** What passes through it, of all. */
  readonly share: number;
}

/** Where a frame is in a stack several times, the outermost one counts: its calls are counted once. */
export function through(rows: StackCosts["rows"], by: FlameBy, frame: string): Through {
  const [above, below] = [node(), node()];
  let total = 0;
  for (const row of rows) {
    total += row[by];
    const names = [callName(row), ...row.frames];
    const at = names.lastIndexOf(frame);
    if (at < 0) continue;
    add(above, names.slice(at + 1), row, by);
    add(below, names.slice(0, at + 1).reverse(), row, by);
  }
  return { callers: boxesOf(above), callees: boxesOf(below), share: total > 0 ? below.value / total : 0 };
}

/** One stack, from the top of the picture. */
function add(top: Node, names: readonly string[], row: StackCosts["rows"][number], by: FlameBy): void {
  const leaf = callName(row);
  let at = top;
  at.value += row[by];
  for (const name of names) {
    let next = at.children.get(name);
    if (next === undefined) at.children.set(name, (next = node()));
    next.value += row[by];
    next.kinds.set(row.kind, (next.kinds.get(row.kind) ?? 0) + row[by]);
    for (const of of ["time_s", "calls", "bytes"] as const) next.sums[of] += row[of];
    if (name === leaf) next.isCall = true;
    at = next;
  }
}

/** What the other run has there. Boxes that only it has are not drawn: its own graph shows them. */
function addBefore(top: Node, names: readonly string[], value: number): void {
  let at: Node | undefined = top;
  at.before = (at.before ?? 0) + value;
  for (const name of names) {
    at = at.children.get(name);
    if (at === undefined) return;
    at.before = (at.before ?? 0) + value;
  }
}

const mainKind = (kinds: ReadonlyMap<Kind, number>): Kind | null =>
  [...kinds].reduce<[Kind, number] | null>(
    (most, one) => (most === null || one[1] > most[1] ? one : most),
    null,
  )?.[0] ?? null;

function boxesOf(top: Node): Flame {
  const boxes: FlameBox[] = [];
  let depth = 0;
  const place = (parent: Node, path: readonly string[], left: number): void => {
    let from = left;
    for (const [name, child] of [...parent.children].sort(([, a], [, b]) => b.value - a.value)) {
      const width = top.value > 0 ? child.value / top.value : 0;
      if (width < LEAST_SHARE) continue;
      const own = [...path, name];
      boxes.push({
        path: own,
        name,
        kind: mainKind(child.kinds),
        isCall: child.isCall,
        depth: path.length,
        left: from,
        width,
        value: child.value,
        sums: child.sums,
        before: top.before === null ? null : (child.before ?? 0),
      });
      depth = Math.max(depth, own.length);
      place(child, own, from);
      from += width;
    }
  };
  place(top, [], 0);
  return { boxes, depth, total: top.value, before: top.before };
}

/** Share of the whole in boxes whose name has these words; a box inside of another one counts once. */
export function foundShare(flame: Flame, words: string): number {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return 0;
  const isFound = (name: string): boolean => name.toLowerCase().includes(wanted);
  return flame.boxes
    .filter((box) => isFound(box.name) && !box.path.slice(0, -1).some(isFound))
    .reduce((sum, box) => sum + box.width, 0);
}
