/** The longest waits for other ranks in messages, one by one, over time: rows of metric `message_span`. */

import { formatSeconds } from "../base/format";
import { text } from "../base/text";
import type { CssPixels } from "../base/units";
import { seconds } from "../base/units";
import type { Report, Value } from "../data/report";
import { metricRowsOf, numberOr, textOf } from "./metric";
import type { TimeWindow } from "./time_axis";
import { visibleSpan } from "./time_axis";

/** Height of a rank. */
export const MESSAGE_ROW = 14;

/** More ranks than these are no picture: those that wait, or are waited for, longest. */
const MOST_RANKS = 16;

/** Lines of narrower waits, in pixels, hide each other. */
const LINE_FROM = 5;

/** A wait as steps from one to the next show it. */
export interface LongWait {
  readonly title: string;
  readonly ranks: readonly [number, number];
  readonly time: TimeWindow;
}

/** A wait, in pixels. */
export interface MessageWait extends LongWait {
  readonly x: number;
  readonly width: number;
  readonly y: number;
  /** Behind it, until the call ends: moving data. */
  readonly moving: number;
  /** From the rank that is waited for, at the moment when it comes; null: it has no row. */
  readonly line: { readonly x: number; readonly from: number; readonly to: number } | null;
}

export interface MessageStrip {
  readonly ranks: readonly number[];
  readonly waits: readonly MessageWait[];
  readonly height: number;
  /** All that are kept, seen or not, the longest first. */
  readonly byLength: readonly LongWait[];
  /** Ranks without a row. */
  readonly left_out: number;
}

/** null: nobody waits, or messages were not recorded. */
export function messageStrip(
  report: Report,
  log: number | null,
  view: TimeWindow,
  width: CssPixels,
  nameOf: (rank: number) => string,
  pathOf: (id: string) => string,
): MessageStrip | null {
  const spans = metricRowsOf(report.metrics["message_span"] ?? null, log).map((row) => ({
    rank: numberOr(row("rank"), -1),
    late: numberOr(row("late_rank"), -1),
    cause: numberOr(row("cause_rank"), -1),
    name: textOf(row("function")),
    does: text.timeline.doesMeanwhile(
      textOf(row("activity")),
      row("file_id") === null ? null : pathOf(textOf(row("file_id"))),
    ),
    start: seconds(numberOr(row("start_s"), 0)),
    until: seconds(numberOr(row("until_s"), 0)),
    end: seconds(numberOr(row("end_s"), 0)),
  }));
  if (spans.length === 0) return null;
  const byLength = spans.map((of): LongWait => ({
    title: text.timeline.waitsFor(
      nameOf(of.rank),
      formatSeconds(seconds(of.until - of.start)),
      of.name,
      nameOf(of.late),
      of.cause === of.late ? null : nameOf(of.cause),
      of.does,
    ),
    ranks: [of.rank, of.late],
    time: { start: of.start, end: of.end },
  }));
  const time_s = new Map<number, number>();
  for (const { rank, late, start, until } of spans)
    for (const one of [rank, late]) time_s.set(one, (time_s.get(one) ?? 0) + until - start);
  const ranks = [...time_s]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_RANKS)
    .map(([rank]) => rank)
    .sort((a, b) => a - b);
  const middle = (rank: number): number => (ranks.indexOf(rank) + 0.5) * MESSAGE_ROW;
  const seen = spans.flatMap((of, at) => {
    const part = visibleSpan({ start: of.start, end: of.until }, view, width);
    const named = byLength[at];
    if (part === null || named === undefined || !ranks.includes(of.rank)) return [];
    const moving = visibleSpan({ start: of.until, end: of.end }, view, width);
    const isVisible =
      of.until >= view.start && of.until <= view.end && ranks.includes(of.late) && part.width >= LINE_FROM;
    return [
      {
        x: part.x,
        width: Math.max(1, part.width),
        y: ranks.indexOf(of.rank) * MESSAGE_ROW + 2,
        moving: moving?.width ?? 0,
        line: isVisible ? { x: part.x + part.width, from: middle(of.late), to: middle(of.rank) } : null,
        ...named,
      },
    ];
  });
  return {
    ranks,
    waits: seen,
    height: ranks.length * MESSAGE_ROW,
    byLength,
    left_out: time_s.size - ranks.length,
  };
}

/** The longest wait of all: its two ranks and its time; null: none is kept. */
export function longestOfAll(report: Report, log: number | null): Omit<LongWait, "title"> | null {
  const [row] = metricRowsOf(report.metrics["message_span"] ?? null, log);
  if (row === undefined) return null;
  return { ranks: [numberOr(row("rank"), -1), numberOr(row("late_rank"), -1)], time: timeOf(row) };
}

/** When a rank waits longest for another one; null: no such wait is among those that are kept. */
export function longestWait(report: Report, log: number | null, rank: number, late: number): TimeWindow | null {
  const rows = metricRowsOf(report.metrics["message_span"] ?? null, log);
  const row = rows.find((one) => numberOr(one("rank"), -1) === rank && numberOr(one("late_rank"), -1) === late);
  return row === undefined ? null : timeOf(row);
}

const timeOf = (row: (name: string) => Value): TimeWindow => ({
  start: seconds(numberOr(row("start_s"), 0)),
  end: seconds(numberOr(row("end_s"), 0)),
});
