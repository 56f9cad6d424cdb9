/** The longest waits for other ranks in messages, one by one, over time: rows of metric `message_span`. */

import { formatSeconds } from "../base/format";
import { text } from "../base/text";
import type { CssPixels } from "../base/units";
import { seconds } from "../base/units";
import type { Report } from "../data/report";
import { metricRowsOf, numberOr, textOf } from "./metric";
import type { TimeWindow } from "./time_axis";
import { visibleSpan } from "./time_axis";

/** Height of a rank. */
export const MESSAGE_ROW = 14;

/** More ranks than these are no picture: those that wait, or are waited for, longest. */
const MOST_RANKS = 16;

/** Lines of narrower waits, in pixels, hide each other. */
const LINE_FROM = 5;

/** A wait, in pixels. */
export interface MessageWait {
  readonly x: number;
  readonly width: number;
  readonly y: number;
  /** Behind it, until the call ends: moving data. */
  readonly moving: number;
  /** From the rank that is waited for, at the moment when it comes; null: it has no row. */
  readonly line: { readonly x: number; readonly from: number; readonly to: number } | null;
  readonly title: string;
  readonly ranks: readonly [number, number];
  readonly time: TimeWindow;
}

export interface MessageStrip {
  readonly ranks: readonly number[];
  readonly waits: readonly MessageWait[];
  readonly height: number;
  /** The longest wait of the run. */
  readonly longest: TimeWindow;
  readonly longest_s: number;
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
  const [first] = spans;
  if (first === undefined) return null;
  const time_s = new Map<number, number>();
  for (const { rank, late, start, until } of spans)
    for (const one of [rank, late]) time_s.set(one, (time_s.get(one) ?? 0) + until - start);
  const ranks = [...time_s]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_RANKS)
    .map(([rank]) => rank)
    .sort((a, b) => a - b);
  const middle = (rank: number): number => (ranks.indexOf(rank) + 0.5) * MESSAGE_ROW;
  const seen = spans.flatMap((of) => {
    const part = visibleSpan({ start: of.start, end: of.until }, view, width);
    if (part === null || !ranks.includes(of.rank)) return [];
    const moving = visibleSpan({ start: of.until, end: of.end }, view, width);
    const isVisible =
      of.until >= view.start && of.until <= view.end && ranks.includes(of.late) && part.width >= LINE_FROM;
    const cause = of.cause === of.late ? null : nameOf(of.cause);
    return [
      {
        x: part.x,
        width: Math.max(1, part.width),
        y: ranks.indexOf(of.rank) * MESSAGE_ROW + 2,
        moving: moving?.width ?? 0,
        line: isVisible ? { x: part.x + part.width, from: middle(of.late), to: middle(of.rank) } : null,
        title: text.timeline.waitsFor(
          nameOf(of.rank),
          formatSeconds(seconds(of.until - of.start)),
          of.name,
          nameOf(of.late),
          cause,
          of.does,
        ),
        ranks: [of.rank, of.late] as const,
        time: { start: of.start, end: of.end },
      },
    ];
  });
  return {
    ranks,
    waits: seen,
    height: ranks.length * MESSAGE_ROW,
    longest: { start: first.start, end: first.end },
    longest_s: first.until - first.start,
    left_out: time_s.size - ranks.length,
  };
}

/** When a rank waits longest for another one; null: no such wait is among those that are kept. */
export function longestWait(report: Report, log: number | null, rank: number, late: number): TimeWindow | null {
  const rows = metricRowsOf(report.metrics["message_span"] ?? null, log);
  const row = rows.find((one) => numberOr(one("rank"), -1) === rank && numberOr(one("late_rank"), -1) === late);
  if (row === undefined) return null;
  return { start: seconds(numberOr(row("start_s"), 0)), end: seconds(numberOr(row("end_s"), 0)) };
}
