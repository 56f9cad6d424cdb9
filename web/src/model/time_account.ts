/** Where the run time went: the rows of the report's account as parts of one bar. */

import { formatPart } from "../base/format";
import type { Kind } from "../base/kinds";
import { KINDS } from "../base/kinds";
import { text } from "../base/text";
import type { AccountRow, Report } from "../data/report";

/** A part of the bar; `colour` names a variable of the page's style. */
export interface AccountPart {
  readonly name: string;
  readonly seconds: number;
  readonly share: number;
  /** Of all parts together, seconds. */
  readonly whole_s: number;
  readonly colour: string;
}

const COLOURS: Readonly<Record<string, string>> = {
  read: "--read", write: "--write", metadata: "--metadata", sync: "--sync", lock: "--lock", map: "--map",
  text: "--conversion", wait: "--wait", library: "--library", computing: "--sunken", unknown: "--line",
};

const LEAST_SHARE = 0.002; // a part that is too small to see has no name either

/** I/O first, the longest first, computing last; empty: the report has no account. */
export function accountParts(report: Report): AccountPart[] {
  const all = report.time_account.reduce((sum, row) => sum + row.time_s, 0);
  if (all <= 0) return [];
  const classes = new Map<string, number>();
  for (const row of report.time_account) classes.set(row.class, (classes.get(row.class) ?? 0) + row.time_s);
  const isIo = (name: string): boolean => name !== "computing" && name !== "unknown";
  return [...classes]
    .map(([name, seconds]) => ({ name, seconds, share: seconds / all, whole_s: all, colour: colourOfClass(name) }))
    .filter((part) => part.share >= LEAST_SHARE)
    .sort((a, b) => Number(isIo(b.name)) - Number(isIo(a.name)) || b.seconds - a.seconds);
}

/** `write 6.22 s`. */
export const partText = (part: AccountPart): string => `${text.diagnosis.account[part.name] ?? part.name} ${formatPart(part.seconds, part.whole_s)}`;

/** The kind of calls that a class is about; null: none that has single calls of its own. */
export const kindOfClass = (name: string): Kind | null => (name === "sync" || name === "wait" || name === "lock" ? "wait" : (KINDS.find((kind) => kind === name) ?? null));

export const colourOfClass = (name: string): string => COLOURS[name] ?? "--accent";

/** The rows behind the bar, I/O only: the longest first. */
export function accountRows(report: Report): AccountRow[] {
  return report.time_account.filter((row) => row.layer !== "program" && row.time_s > 0).sort((a, b) => b.time_s - a.time_s);
}

/** A verdict without the parts of the run time: the bar below it has them. */
export const withoutParts = (verdict: string): string => verdict.replace(/\): [^()]*?; (?:computing and other work|outside I\/O): [^.]*(?:\.\d+[^.]*)*\.(?= |$)/, ").");
