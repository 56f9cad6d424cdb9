/** Who waits for whom in messages: rows of metric `message_wait` as a matrix and as causes. */

import type { Report } from "../data/report";
import { metricRowsOf, numberOr, textOf } from "./metric";

/** Seconds that rank `waits` waits for rank `late`. */
export interface WaitCell {
  readonly waits: number;
  readonly late: number;
  readonly seconds: number;
}

/** What a rank does for which others wait, with the seconds of all who wait. */
export interface WaitCause {
  readonly late: number;
  readonly cause: number;
  readonly activity: string;
  readonly fileId: string | null;
  readonly calls: string;
  readonly waiters: number;
  readonly seconds: number;
}

export interface Waits {
  readonly cells: readonly WaitCell[];
  readonly waiting: readonly number[];
  readonly late: readonly number[];
  readonly most: number;
  readonly causes: readonly WaitCause[];
}

/** More ranks than these are no matrix that anybody reads. */
const MOST_RANKS = 64;

const inOrder = (ranks: Iterable<number>): number[] => [...new Set(ranks)].sort((a, b) => a - b);

/** null: nobody waits, or messages were not recorded. */
export function waitsOf(report: Report, log: number | null): Waits | null {
  const table = report.metrics["message_wait"] ?? null;
  const rows = metricRowsOf(table, log).filter((row) => row("late_rank") !== null);
  if (rows.length === 0) return null;
  const cells = new Map<string, WaitCell>();
  const causes = new Map<string, WaitCause & { readonly of: Set<number>; readonly functions: Map<string, number> }>();
  for (const row of rows) {
    const [waits, late] = [numberOr(row("rank"), -1), numberOr(row("late_rank"), -1)];
    const seconds = numberOr(row("wait_s"), 0);
    const cell = `${waits} ${late}`;
    cells.set(cell, { waits, late, seconds: (cells.get(cell)?.seconds ?? 0) + seconds });
    const [cause, activity] = [numberOr(row("cause_rank"), late), textOf(row("activity"))];
    const file = row("file_id");
    const key = `${late} ${cause} ${activity} ${textOf(file)}`;
    const known = causes.get(key);
    const functions = known?.functions ?? new Map<string, number>();
    const name = textOf(row("function"));
    functions.set(name, (functions.get(name) ?? 0) + seconds);
    const of = (known?.of ?? new Set<number>()).add(waits);
    causes.set(key, {
      late,
      cause,
      activity,
      fileId: file === null ? null : String(file),
      calls: "",
      waiters: of.size,
      seconds: (known?.seconds ?? 0) + seconds,
      of,
      functions,
    });
  }
  const all = [...cells.values()];
  const listed = [...causes.values()].map(({ of: _of, functions, ...cause }) => ({
    ...cause,
    calls: [...functions]
      .sort((a, b) => b[1] - a[1])
      .map(([name]) => name)
      .join(", "),
  }));
  const [waiting, late] = [inOrder(all.map((cell) => cell.waits)), inOrder(all.map((cell) => cell.late))];
  const isMatrix = waiting.length <= MOST_RANKS && late.length <= MOST_RANKS;
  return {
    cells: isMatrix ? all : [],
    waiting: isMatrix ? waiting : [],
    late: isMatrix ? late : [],
    most: Math.max(...all.map((cell) => cell.seconds)),
    causes: listed.sort((a, b) => b.seconds - a.seconds),
  };
}
