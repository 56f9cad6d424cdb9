/** Runs that are compared: which part of which source each is, and how their times are brought together. */

import type { Seconds } from "../base/units";
import { seconds, track } from "../base/units";
import type { CallFilter, Description, LogSource } from "../data/interface";
import type { Report } from "../data/report";
import { phaseLayers, phasesOf } from "./phases";
import { filterOf, NOTHING_SELECTED, wholeWindow } from "./route";
import type { TimeWindow } from "./time_axis";
import type { ArrangedTracks } from "./tracks";
import { arrangeTracks } from "./tracks";

export interface Run {
  readonly name: string;
  readonly source: LogSource;
  readonly description: Description;
  readonly report: Report;
  /** null: all logs of the source. */
  readonly log: number | null;
}

/** Another run that the server of this page has. */
export interface ServedRun {
  readonly number: number;
  readonly name: string;
  /** null: not judged yet, or it cannot be. */
  readonly verdict: string | null;
}

/** Where a page that is served finds other runs to compare its own with. */
export interface ServedRuns {
  /** Number of the run of this page. */
  readonly own: number;
  list(): Promise<readonly ServedRun[]>;
  open(number: number): Promise<Run>;
}

/** start: of the job. phase, last: the start of the first or last I/O phase, so that time before it does not count. */
export const ALIGNMENTS = ["start", "phase", "last"] as const;
export type Alignment = (typeof ALIGNMENTS)[number];

/** The moment of a run that stands at zero, seconds of its own time. */
export function originOf(run: Run, align: Alignment): Seconds {
  if (align === "start") return seconds(0);
  const phases = phasesOf(run.report, phaseLayers(run.report)[0] ?? null, run.log);
  const phase = align === "phase" ? phases[0] : phases.at(-1);
  return phase?.start ?? seconds(0);
}

/** Time of the run: of its log where it has several. */
export function runWindow(run: Run): TimeWindow {
  const whole = wholeWindow(run.description);
  const length = run.log === null ? null : (run.description.logs[run.log]?.run_s ?? null);
  return length === null || length <= 0 ? whole : { start: seconds(0), end: length };
}

export const shifted = ({ start, end }: TimeWindow, by: number): TimeWindow => ({
  start: seconds(start + by),
  end: seconds(end + by),
});

/** From the first to the last moment of any. */
export function sharedWhole(windows: readonly TimeWindow[]): TimeWindow {
  const start = Math.min(...windows.map((window) => window.start));
  const end = Math.max(...windows.map((window) => window.end));
  return { start: seconds(start), end: seconds(Math.max(end, start + 1e-9)) };
}

export const runFilter = (run: Run): CallFilter => filterOf({ ...NOTHING_SELECTED, log: run.log }, run.description);

export function runOrder(run: Run): ArrangedTracks {
  const { log } = run.description.tracks;
  const only = run.log === null ? null : Array.from(log, (_, at) => track(at)).filter((at) => log[at] === run.log);
  return arrangeTracks(run.description, "rank", null, only);
}

export const runLayers = (run: Run): readonly string[] => run.description.layers;

/** The runs that one page holds by itself: its logs, where they are several. */
export function ownRuns(source: LogSource, description: Description, report: Report): Run[] {
  const logs = description.logs.length > 1 ? description.logs.map((_, at) => at) : [null];
  return logs.map((log) => ({
    name: description.logs[log ?? 0]?.name ?? report.logs[log ?? 0] ?? "run",
    source,
    description,
    report,
    log,
  }));
}
