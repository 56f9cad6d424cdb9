/** Where the run time went: the rows of the report's account as parts of one bar. */

import { formatPart } from "../base/format";
import { KIND_OF_CLASS, type Kind } from "../base/kinds";
import { layerName, text } from "../base/text";
import type { AccountRow, Finding, Report, TimePart } from "../data/report";
import { metricRowsOf, numberOr, textOf } from "./metric";

/** A part of the bar; `colour` names a variable of the page's style. */
export interface AccountPart {
  /** Class of calls. */
  readonly of: string;
  readonly name: string;
  readonly seconds: number;
  readonly share: number;
  /** Of all parts together, seconds. */
  readonly whole_s: number;
  readonly colour: string;
  /** Which part of its colour it is, from 0: those of one colour differ in shade. */
  readonly place: number;
}

/** The colour of a part: every second one of a colour is darker. */
export const fillOf = (part: AccountPart): string =>
  part.place % 2 === 0 ? `var(${part.colour})` : `color-mix(in srgb, var(${part.colour}) 62%, var(--shade))`;

const COLOURS: Readonly<Record<string, string>> = {
  read: "--read",
  write: "--write",
  metadata: "--metadata",
  sync: "--sync",
  write_sync: "--write",
  lock: "--wait",
  map: "--map",
  text: "--conversion",
  wait: "--wait",
  library: "--library",
  exchange: "--exchange",
  child: "--wait",
  message: "--exchange",
  computing: "--sunken",
  unknown: "--line",
};

const LEAST_SHARE = 0.002; // a part that is too small to see has no name either

/** I/O first, the longest first, computing last; empty: the report has no account. */
export function accountParts(report: Report): AccountPart[] {
  const named = partsOf(report);
  const all = named.reduce((sum, part) => sum + part.time_s, 0);
  if (all <= 0) return [];
  const classes_s = new Map<string, number>();
  for (const part of named) classes_s.set(part.class, (classes_s.get(part.class) ?? 0) + part.time_s);
  return named
    .map(({ name, class: of, time_s }) => ({
      of,
      name,
      seconds: time_s,
      share: time_s / all,
      whole_s: all,
      colour: colourOfClass(of),
      place: 0,
    }))
    .filter((part) => part.share >= LEAST_SHARE)
    .sort(
      (a, b) =>
        Number(isIo(b.of)) - Number(isIo(a.of)) ||
        (classes_s.get(b.of) ?? 0) - (classes_s.get(a.of) ?? 0) ||
        (a.of < b.of ? -1 : a.of > b.of ? 1 : b.seconds - a.seconds),
    ) // one colour stays together
    .map((part, at, sorted) => ({
      ...part,
      place: sorted.slice(0, at).filter((before) => before.colour === part.colour).length,
    }));
}

/** Classes from the one with the most time of the run down, as the bar has them; others behind. */
export function classesInOrder(report: Report, classes: ReadonlySet<string>): string[] {
  const inBar = [...new Set(accountParts(report).map((part) => part.of))].filter((of) => classes.has(of));
  return [...inBar, ...[...classes].filter((of) => !inBar.includes(of)).sort()];
}

/**
 * The parts of the bar that seconds of a layer and class belong to, with the share of each: as the rows of the account
 * are divided, those that pass between calls left out.
 */
function partsOfClass(
  parts: readonly AccountPart[],
  report: Report,
  layer: string,
  of: string,
): { readonly part: AccountPart; readonly share: number }[] {
  const sums = new Map<AccountPart, number>();
  const add = (part: AccountPart | undefined, time_s: number): void => {
    if (part) sums.set(part, (sums.get(part) ?? 0) + time_s);
  };
  for (const row of report.time_account) {
    if (row.layer !== layer || row.class !== of || isBetweenCalls(row)) continue;
    const own = parts.filter((part) => part.of === of);
    const named = own.find((part) => part.name === className(row, report)) ?? own[0];
    const exchange = row.late_s === null ? undefined : parts.find((part) => part.of === "exchange");
    const late_s = exchange && row.late_s !== null ? Math.min(row.late_s, row.time_s) : row.time_s;
    add(named, late_s);
    add(exchange, row.time_s - late_s);
  }
  const all = [...sums.values()].reduce((sum, one) => sum + one, 0);
  return all > 0 ? [...sums].map(([part, time_s]) => ({ part, share: time_s / all })) : [];
}

/** A part of the bar over time. */
export interface PlacedPart {
  readonly part: AccountPart;
  /** Seconds of each window. */
  readonly seconds: Float64Array;
}

export interface PlacedAccount {
  /** Length of a window, seconds. */
  readonly length_s: number;
  /** In the order of the bar. */
  readonly parts: readonly PlacedPart[];
}

/** When the seconds of the bar pass: those of single calls; null: the log has counters only, or there are several. */
export function placedAccount(report: Report): PlacedAccount | null {
  const rows = metricRowsOf(report.metrics.account_window ?? null);
  const [first] = rows;
  if (first === undefined || new Set(rows.map((row) => row("log"))).size > 1) return null;
  const length_s = numberOr(first("end_s"), 0) - numberOr(first("start_s"), 0);
  const count = Math.round(Math.max(...rows.map((row) => numberOr(row("end_s"), 0))) / length_s);
  const parts = accountParts(report);
  const seconds = new Map(parts.map((part) => [part, new Float64Array(count)]));
  const known = new Map<string, ReturnType<typeof partsOfClass>>();
  for (const row of rows) {
    const at = Math.round(numberOr(row("start_s"), 0) / length_s);
    const key = `${textOf(row("layer"))} ${textOf(row("class"))}`;
    const shares = known.get(key) ?? partsOfClass(parts, report, textOf(row("layer")), textOf(row("class")));
    known.set(key, shares);
    for (const { part, share } of shares) {
      const sums = seconds.get(part);
      if (sums) sums[at] = (sums[at] ?? 0) + share * numberOr(row("time_s"), 0);
    }
  }
  const placed = [...seconds].map(([part, of]) => ({ part, seconds: of }));
  return { length_s, parts: placed.filter((one) => one.seconds.some((value) => value > 0)) };
}

/** The parts as the verdict names them; of a report made before it did, those of its account. */
function partsOf(report: Report): readonly TimePart[] {
  if (report.time_parts.length > 0) return report.time_parts;
  const parts = new Map<string, TimePart>();
  for (const row of report.time_account) {
    const name = className(row, report);
    parts.set(name, {
      name,
      class: row.class,
      time_s: row.time_s + (parts.get(name)?.time_s ?? 0),
      awaited: row.awaited,
      is_between_calls: isBetweenCalls(row),
    });
  }
  return [...parts.values()];
}

const isIo = (of: string): boolean => of !== "child" && of !== "computing" && of !== "message" && of !== "unknown";

const SYSTEM_LAYERS: readonly string[] = ["posix", "stdio"];

/**
 * The class of a row as readers know it, as the sentence of the report has it
 * (crates/diya/src/diagnose/verdict/parts.rs).
 */
export function className(row: AccountRow, report: Report): string {
  const { account, waits, ofLibrary, inside } = text.diagnosis;
  if (row.class === "wait" && row.function === "naps") return waits.naps;
  if (row.class === "wait" && row.awaited !== null && report.job.nprocs !== 1)
    return isBetweenCalls(row) ? waits.for(row.awaited) : waits.andExchange(row.awaited);
  if (row.class === "wait" && SYSTEM_LAYERS.includes(row.layer))
    return report.job.nprocs === 1 ? waits.threads : waits.processes;
  if (row.class === "lock" && row.awaited === null) return account.shortLocks ?? row.class;
  if (row.class === "library")
    return (
      ofLibrary[row.function ?? ""] ??
      (SYSTEM_LAYERS.includes(row.layer) || row.layer === "program"
        ? (account.library ?? row.class)
        : inside(layerName(row.layer).replace(/ (data|files|other)$/, "")))
    );
  return account[row.class] ?? row.class;
}

/** `write 6.22 s`. */
export const partText = (part: AccountPart): string =>
  // "rank 1 2.2 s" would read as one number
  `${part.name}${part.of === "wait" && /\d$/.test(part.name) ? ":" : ""} ${formatPart(part.seconds, part.whole_s)}`;

/** The kind of calls that a class of the account is about; null: none that has single calls of its own. */
export const kindOfClass = (name: string): Kind | null =>
  name === "wait" ? "wait" : name === "map" ? null : (KIND_OF_CLASS[name] ?? null);

export const colourOfClass = (name: string): string => COLOURS[name] ?? "--accent";

/** A wait that follows from pauses between calls. */
export const isBetweenCalls = (row: AccountRow): boolean =>
  row.class === "wait" && SYSTEM_LAYERS.includes(row.layer) && (row.calls ?? 0) === 0;

/** Whether a row is one of those that a part of the bar adds up. */
export const isOfPart = (row: AccountRow, part: Pick<AccountPart, "of" | "name">, report: Report): boolean => {
  const isNamed = report.time_account.some((one) => one.class === part.of && className(one, report) === part.name);
  return row.class === part.of && (!isNamed || className(row, report) === part.name);
};

/** Seconds of a class that a finding is about: those that it explains, or that it says to have no known cause. */
function claimedSeconds({ explains, evidence, severity }: Finding, of: string): number {
  const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
  return severity === "unexplained"
    ? sum(evidence.map(({ values }) => (values.class === of && typeof values.rest_s === "number" ? values.rest_s : 0)))
    : sum(explains.map((one) => (one.class === of ? one.time_s : 0)));
}

/** Findings that claim seconds of a part, the most first; those about the time of another finding stand behind it. */
export function findingsOf(
  part: Pick<AccountPart, "of">,
  { findings }: Report,
): { readonly id: string; readonly number: number; readonly title: string }[] {
  return findings
    .map((finding, at) => ({
      id: finding.id,
      number: at + 1,
      title: finding.heading ?? finding.title,
      isOther: finding.same_time_as !== null,
      time_s: claimedSeconds(finding, part.of),
    }))
    .filter(({ time_s, isOther }) => time_s > 0 && !isOther)
    .sort((a, b) => b.time_s - a.time_s)
    .map(({ id, number, title }) => ({ id, number, title }));
}

/** The parts of the bar that a finding claims seconds of. */
export const partsOfFinding = (finding: Finding, parts: readonly AccountPart[]): AccountPart[] =>
  parts.filter((part) => claimedSeconds(finding, part.of) > 0);

/** Waits for pages follow from counts of the kernel, not from times of calls. */
export const isOfPageFaults = (row: AccountRow): boolean => row.class === "map" && row.function === "page faults";

/** From this share of the run on, recording is named. */
const NAMED_RECORDING = 0.02;

/** How far the times can be trusted beyond the word for it: what is estimated, and from what; what recording took. */
export function accuracyNotes({ time_account, verdict, job }: Report): string[] {
  const { estimatedWaits, estimatedFaults, recording } = text.diagnosis;
  const { recorder_s, run_s } = verdict;
  const isNamed = recorder_s !== null && run_s !== null && recorder_s >= NAMED_RECORDING * run_s;
  return [
    ...(time_account.some(isBetweenCalls) ? [estimatedWaits] : []),
    ...(time_account.some(isOfPageFaults) ? [estimatedFaults] : []),
    ...(isNamed ? [recording(formatPart(recorder_s, run_s), (job.nprocs ?? 1) > 1 && job.programs.length === 0)] : []),
  ];
}

/** What a row is about, beside its class: the function, or what works between the calls. */
export function calledIn(row: AccountRow): string {
  const { works } = text.diagnosis;
  return works[row.function ?? ""] ?? row.function ?? row.op ?? "";
}

/** The rows behind the bar, I/O only: the longest first. A wait between calls is of no layer. */
export function accountRows(report: Report): (AccountRow & { readonly name: string })[] {
  const rows = report.time_account.filter((row) => row.layer !== "program" && row.time_s > 0);
  const named = new Map<string, AccountRow & { readonly name: string }>();
  for (const row of rows) {
    const name = isBetweenCalls(row) ? className(row, report) : `${layerName(row.layer)}, ${className(row, report)}`;
    const key = JSON.stringify([name, row.function, row.op]);
    const known = named.get(key);
    named.set(key, {
      ...row,
      name,
      time_s: row.time_s + (known?.time_s ?? 0),
      calls: row.calls === null ? (known?.calls ?? null) : row.calls + (known?.calls ?? 0),
    });
  }
  return [...named.values()].sort((a, b) => b.time_s - a.time_s);
}

/**
 * Transfers of all processes as the account has them: their speed, without waits and metadata. null: too small a part
 * of the I/O.
 */
export function transferRate(report: Report): number | null {
  const sum = (rows: readonly AccountRow[]): number => rows.reduce((all, row) => all + row.time_s, 0);
  const io = report.time_account.filter((row) => isIo(row.class));
  const transfers_s = sum(io.filter((row) => TRANSFERS.includes(row.class)));
  const { bytes } = report.verdict;
  return bytes === null || transfers_s <= 0 || transfers_s < LEAST_TRANSFERS * sum(io) ? null : bytes / transfers_s;
}

/** Kinds of time in which data are transferred; a sync sends what writes left in the page cache. */
const TRANSFERS: readonly string[] = ["read", "write", "sync"];
/** Below this share of the I/O time the speed of the transfers explains nothing. */
const LEAST_TRANSFERS = 0.1;

/** Parts of the bar, or seconds of them, that have no place in time: `text conversion 0.4 s`. */
export function withoutPlace(report: Report, placed: PlacedAccount): string[] {
  const sumOf = (part: AccountPart): number =>
    placed.parts.find((one) => one.part.name === part.name)?.seconds.reduce((sum, one) => sum + one, 0) ?? 0;
  return accountParts(report)
    .filter((part) => isIo(part.of))
    .map((part) => ({ ...part, seconds: part.seconds - sumOf(part) }))
    .filter(({ seconds, whole_s }) => seconds >= LEAST_SHARE * whole_s)
    .map(partText);
}

/**
 * Parts of the bar that a picture of calls does not have: `waiting for other threads 0.95 s`. `hasLibrary`: it shows
 * time inside libraries.
 */
export function outsideCalls(report: Report, hasLibrary: boolean): string[] {
  const isOutside = (part: TimePart): boolean =>
    part.is_between_calls || (!hasLibrary && (part.class === "library" || part.class === "text"));
  const drawn = new Set(
    partsOf(report)
      .filter((part) => !isOutside(part))
      .map(({ name }) => name),
  );
  return accountParts(report)
    .filter((part) => !drawn.has(part.name))
    .map(partText);
}
