/**
 * What processes are called: a rank only where MPI or a launcher numbers them.
 *
 * Table `peer_group` knows; a log without it is of one job of ranks. Findings use the
 * same names (crates/diya-checks/src/names.rs).
 */

import type { Description } from "../data/interface";
import type { Report } from "../data/report";
import { metricRowsOf, numberOf, numberOr, textOf } from "./metric";

export type Noun = "rank" | "process";

export interface ProcessNames {
  /** Of headings: rank where any process is one. */
  readonly noun: Noun;
  /** `rank 3`, `process 1204 (solver)`. */
  of(log: number, rank: number): string;
  /** What the process runs; null: not recorded, or a rank of the one program of the job. */
  programOf(log: number, rank: number): string | null;
}

export function processNames(report: Report): ProcessNames {
  const rows = metricRowsOf(report.metrics.peer_group ?? null);
  const names = new Map<string, string>();
  const lastStep = new Map<number, number>();
  for (const row of rows) {
    const log = numberOr(row("log"), 0);
    lastStep.set(log, Math.max(lastStep.get(log) ?? 0, numberOr(row("step"), 0)));
  }
  const programs = new Map<string, string>();
  let ranks = 0;
  for (const row of rows) {
    const [log, rank, step] = [numberOr(row("log"), 0), numberOr(row("rank"), -1), numberOf(row("step"))];
    const isRank = row("kind") === "rank";
    const number = numberOr(row("number"), rank);
    const program = textOf(row("program"));
    if (isRank) ranks += 1;
    if (program !== "") programs.set(`${log} ${rank}`, program);
    const ofProgram = program === "" ? "" : ` (${program})`;
    const isOneOfSteps = step !== null && (lastStep.get(log) ?? 0) > 0;
    const label = isOneOfSteps
      ? `${number} of step ${step}${ofProgram}`
      : step === null
        ? `${number}${ofProgram}`
        : isRank
          ? String(number)
          : program || String(number);
    names.set(`${log} ${rank}`, `${isRank ? "rank" : "process"} ${label}`);
  }
  const noun: Noun = rows.length > 0 && ranks === 0 ? "process" : "rank";
  return {
    noun,
    of: (log, rank) => names.get(`${log} ${rank}`) ?? `${noun} ${rank}`,
    programOf: (log, rank) => programs.get(`${log} ${rank}`) ?? null,
  };
}

const PLAIN: Readonly<Record<string, string>> = {
  rank: "process",
  ranks: "processes",
  Rank: "Process",
  Ranks: "Processes",
};

/** A text that speaks of ranks, for processes that are none. */
export const inWordsOf = (noun: Noun, words: string): string =>
  noun === "rank" ? words : words.replace(/\b[Rr]anks?\b/g, (word) => PLAIN[word] ?? word);

/** What a track is called, with the log where there are several. */
export function trackName(description: Description, names: ProcessNames, at: number): string {
  const { log, rank } = description.tracks;
  const number = rank[at];
  const name =
    number === undefined || number < 0
      ? `all ${names.noun === "rank" ? "ranks" : "processes"}`
      : names.of(log[at] ?? 0, number);
  return description.logs.length > 1 ? `log ${log[at] ?? 0}, ${name}` : name;
}
