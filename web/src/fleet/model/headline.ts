/** The figures of the first screen, of all jobs or of those that a filter leaves. */

import { formatBytes, formatCount, formatRatio } from "../../base/format";
import type { Head, Totals } from "./head";
import type { Jobs } from "./jobs";

export interface Headline {
  readonly jobs: number;
  readonly users: number;
  readonly programs: number;
  readonly core_hours: number;
  readonly io_core_hours: number;
  readonly saved_core_hours: number;
  readonly bytes: number;
  /** Jobs whose core-hours are known, that were judged, whose log is damaged. */
  readonly timed: number;
  readonly judged: number;
  readonly partial: number;
  readonly first_s: number | null;
  readonly last_s: number | null;
}

export function headlineOf(jobs: Jobs, rows: Uint32Array): Headline {
  const { core_hours, io_core_hours, saved_core_hours, bytes, start_s } = jobs.number;
  const { user_name, program, verdict } = jobs.text;
  const isTrue = jobs.words.map((word) => word === true);
  const seen = { users: new Uint8Array(jobs.words.length + 1), programs: new Uint8Array(jobs.words.length + 1) };
  const sums = {
    users: 0,
    programs: 0,
    core_hours: 0,
    io_core_hours: 0,
    saved_core_hours: 0,
    bytes: 0,
    timed: 0,
    judged: 0,
    partial: 0,
  };
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    const hours = core_hours[row] ?? Number.NaN;
    if (!Number.isNaN(hours)) {
      sums.timed += 1;
      sums.core_hours += hours;
      sums.io_core_hours += io_core_hours[row] ?? 0;
    }
    const saved = saved_core_hours[row] ?? Number.NaN;
    if (!Number.isNaN(saved)) sums.saved_core_hours += saved;
    const moved = bytes[row] ?? Number.NaN;
    if (!Number.isNaN(moved)) sums.bytes += moved;
    const start = start_s[row] ?? Number.NaN;
    if (start < first) first = start;
    if (start > last) last = start;
    const [user, of] = [user_name[row] ?? 0, program[row] ?? 0];
    if (user !== 0 && seen.users[user] === 0) sums.users += seen.users[user] = 1;
    if (of !== 0 && seen.programs[of] === 0) sums.programs += seen.programs[of] = 1;
    if ((verdict[row] ?? 0) !== 0) sums.judged += 1;
    if (isTrue[(jobs.isPartial[row] ?? 0) - 1] === true) sums.partial += 1;
  }
  return {
    jobs: rows.length,
    ...sums,
    first_s: Number.isFinite(first) ? first : null,
    last_s: Number.isFinite(last) ? last : null,
  };
}

/** A time of SQL, which is UTC, in seconds since 1970. */
export function secondsOf(time: string | null): number | null {
  if (time === null) return null;
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time.replace(" ", "T")}Z`);
  return Number.isNaN(at) ? null : at / 1000;
}

/** Of the whole dataset, where the table of jobs is cut. */
export const headlineOfTotals = (totals: Totals): Headline => ({
  jobs: totals.jobs,
  users: totals.users,
  programs: totals.programs,
  core_hours: totals.core_hours ?? 0,
  io_core_hours: totals.io_core_hours ?? 0,
  saved_core_hours: totals.recoverable_core_hours ?? 0,
  bytes: (totals.bytes_read ?? 0) + (totals.bytes_written ?? 0),
  timed: totals.timed_jobs,
  judged: totals.judged_jobs,
  partial: totals.partial_jobs,
  first_s: secondsOf(totals.first_start),
  last_s: secondsOf(totals.last_start),
});

export const dayOf = (at_s: number | null): string =>
  at_s === null ? "not recorded" : new Date(at_s * 1000).toISOString().slice(0, 10);
export const timeOf = (at_s: number | null): string =>
  at_s === null ? "not recorded" : new Date(at_s * 1000).toISOString().slice(0, 16).replace("T", " ");

/** A time of SQL for people; midnight is a day. */
export function momentText(time: string): string {
  const at_s = secondsOf(time);
  return at_s === null ? time : at_s % 86_400 === 0 ? dayOf(at_s) : timeOf(at_s);
}

const jobsText = (count: number): string => (count === 1 ? "1 job" : `${formatCount(count)} jobs`);
const hours = (value: number): string => `${formatCount(Number(value.toPrecision(3)))}\u202fcore-hours`;

/** The one sentence. */
export function sentenceOf(of: Headline): string {
  if (of.jobs === 0) return "No job matches the filters.";
  if (of.core_hours === 0) return `${jobsText(of.jobs)} moved ${formatBytes(of.bytes)}; their core-hours are unknown.`;
  const share =
    `I/O takes ${formatRatio(of.io_core_hours / of.core_hours)} of ${hours(of.core_hours)} in ` +
    `${jobsText(of.jobs)}.`;
  if (of.judged === 0) return `${share} The saving is unknown: the checks were not run.`;
  return `${share} Estimated saving of all fixes: ${hours(of.saved_core_hours)}.`;
}

/** What the figures do not cover, each as a sentence. */
export function coverageOf(head: Head, of: Headline): string[] {
  const files = (status: string): number => head.files.find((one) => one.status === status)?.files ?? 0;
  const lines: string[] = [];
  const notLogs = files("quarantine");
  const unreadable = files("unreadable");
  const copies = files("duplicate");
  if (notLogs > 0) lines.push(`${filesText(notLogs)} could not be read as a log (quarantine)`);
  if (unreadable > 0)
    lines.push(
      `${filesText(unreadable)} could not be opened or changed while being read; the next ingest reads them again`,
    );
  if (copies > 0)
    lines.push(`${filesText(copies)} ${copies === 1 ? "is a copy" : "are copies"} of a log that counts once`);
  if (of.partial > 0)
    lines.push(`${jobsText(of.partial)} with a damaged or incomplete log: their numbers are at least these`);
  const untimed = of.jobs - of.timed;
  if (untimed > 0) lines.push(`${jobsText(untimed)} without run time or number of processes: not in the core-hours`);
  const unjudged = of.jobs - of.judged;
  if (unjudged > 0) lines.push(`${jobsText(unjudged)} without checks: not in the estimated saving`);
  return lines;
}

const filesText = (count: number): string => (count === 1 ? "1 file" : `${formatCount(count)} files`);
