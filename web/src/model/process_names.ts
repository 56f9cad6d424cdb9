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

/** Programs that start the one that is meant; each with the options that take a word of their own. */
const LAUNCHERS = /^(mpirun|mpiexec|orterun|srun|aprun|jsrun|prun|flux|ibrun|numactl|env|time|nice|taskset)(\.\w+)?$/;
const WITH_WORD =
  /^-(n|np|N|c|host|hosts|hostfile|machinefile|ppn|wdir|genv|x|t|p|A|J|map-by|bind-to)$|^--?(map-by|bind-to|mca)$/;
const INTERPRETERS = /^(python|perl|ruby|Rscript|julia|java|bash|sh|node)[\d.]*$/;

/** Name of the program of a command: without its launcher, of an interpreter the script; null: no command. */
export function programOfCommand(command: string | null): string | null {
  const words = (command ?? "").split(/\s+/).filter((word) => word !== "");
  const base = (path: string): string => path.split("/").at(-1) ?? path;
  let at = 0;
  while (at < words.length && LAUNCHERS.test(base(words[at] ?? ""))) {
    at += 1;
    while (/^-|^\w+=/.test(words[at] ?? "")) at += WITH_WORD.test(words[at] ?? "") ? 2 : 1;
  }
  const program = words[at];
  if (program === undefined) return words[0] === undefined ? null : base(words[0]);
  if (!INTERPRETERS.test(base(program))) return base(program);
  const rest = words.slice(at + 1);
  const script = rest.find((word) => !word.startsWith("-"));
  return script === undefined || rest.includes("-c") ? base(program) : base(script);
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
