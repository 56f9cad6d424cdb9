/**
 * The JSON of `diya report --format json`, as `schema/report.schema.json` says.
 *
 * Parsed at the border: what is missing becomes null or empty here, so that the
 * page can read reports of older and newer programs of the same version.
 */

/** A value of a result row; a number beyond 2^53 comes as text. */
export type Value = number | string | boolean | null;

export type Severity = "high" | "warn" | "unexplained" | "info" | "ok";
export type Confidence = "low" | "medium" | "high";

export interface Report {
  readonly schema_version: number;
  readonly program: string;
  readonly logs: readonly string[];
  readonly job: Job;
  readonly verdict: Verdict;
  readonly time_account: readonly AccountRow[];
  /** The account by what readers call its parts; empty: made before there were any. */
  readonly time_parts: readonly TimePart[];
  readonly all_fixed: Saving | null;
  readonly findings: readonly Finding[];
  readonly passed: readonly CheckName[];
  readonly not_applicable: readonly CheckName[];
  readonly unknown: readonly UnknownCheck[];
  readonly problems: readonly Problem[];
  readonly metrics: Readonly<Record<string, MetricTable>>;
}

/** Seconds that a fix saves: the best estimate, at least, at most. */
export interface Saving {
  readonly saved_s: number | null;
  readonly lost_low_s: number | null;
  readonly lost_high_s: number | null;
}

/** What a part of the run time went into; the rows add up to it. */
export interface AccountRow {
  readonly layer: string;
  readonly class: string;
  readonly op: string | null;
  readonly function: string | null;
  readonly time_s: number;
  readonly calls: number | null;
  readonly bytes: number | null;
  /** What is waited for; null: no wait, or not known. */
  readonly awaited: string | null;
}

/** A part of the run time, as the verdict names it. */
export interface TimePart {
  readonly name: string;
  /** Class of calls; exchange: collective calls after the last rank has entered. */
  readonly class: string;
  readonly time_s: number;
  /** It follows from pauses between calls: no picture of calls has it. */
  readonly is_between_calls: boolean;
}

export interface Job {
  readonly id: number | null;
  readonly command: string | null;
  readonly nprocs: number | null;
  /** Programs of the processes, where there are several. */
  readonly programs: readonly string[];
  /** Settings of `diya run --apply`, and what they did in the processes. */
  readonly applied: readonly string[];
  readonly applied_effects: readonly string[];
  readonly notes: readonly string[];
  readonly nodes: number | null;
  readonly start: string | null;
  readonly run_s: number | null;
  readonly stacks: readonly string[];
}

export interface Verdict {
  readonly text: string;
  /** The same without the parts of the run time. */
  readonly brief: string;
  readonly io_share: number | null;
  readonly io_s: number | null;
  readonly io_low_s: number | null;
  readonly io_high_s: number | null;
  readonly run_s: number | null;
  readonly bytes: number | null;
  readonly throughput_bytes_per_s: number | null;
  readonly confidence: Confidence;
  readonly not_captured: readonly string[];
  /** Of the process where recording took most; null: not sampled. */
  readonly recorder_s: number | null;
}

export interface Finding extends Saving {
  readonly id: string;
  readonly code: string;
  readonly title: string;
  readonly severity: Severity;
  /** Why a fix may save nothing; null: it saves something. */
  readonly zero_because: string | null;
  readonly explained_by: string | null;
  readonly text: string;
  readonly evidence: readonly Evidence[];
  readonly evidence_rows: number;
  readonly thresholds: Readonly<Record<string, Threshold>>;
  readonly files: readonly string[];
  readonly ranks: readonly number[];
  readonly window_s: readonly [number, number] | null;
  readonly targets: readonly number[];
  readonly source: readonly string[];
  /** What these lines cost; empty: calls were recorded without their stacks. */
  readonly lines: readonly SourceCost[];
  /** The lines that `lines` leaves out, since they cost too little; null: none. */
  readonly other_lines: { readonly lines: number; readonly calls: number; readonly time_s: number } | null;
  /** Lines that the fix changes, where they are none of `lines`: those that open or create what it is about. */
  readonly changes: readonly string[];
  /** The few files that most of it is about. */
  readonly main_files: readonly MainFile[];
  /** What a rank does that others wait for; null: there is none, or it was not recorded. */
  readonly late: LateRank | null;
  readonly actions: readonly Action[];
  readonly gain: string;
  readonly contraindications: readonly string[];
  readonly verify: string;
  readonly wrong_when: string;
}

/** A number that a check compared with. */
export interface Threshold {
  readonly value: Value;
  /** bytes, calls, s, files, ranks, or 1 for a ratio. */
  readonly unit: string;
  /** Words that stand before the value. */
  readonly label: string;
  /** Why this value. */
  readonly why: string;
}

export interface Evidence {
  readonly text: string;
  readonly values: Readonly<Record<string, Value>>;
}

/** A line of the program's own code: the calls of it that a finding is about. */
export interface SourceCost {
  /** function (file:line), and what it calls. */
  readonly source: string;
  /** Whole name of its function; null: `source` has it. */
  readonly symbol: string | null;
  /** Layer in which its calls are counted; empty: not known. */
  readonly layer: string;
  readonly calls: number;
  /** Summed over ranks. */
  readonly time_s: number;
  /** Where its function is called from, if from several places. */
  readonly callers: readonly { readonly source: string; readonly share: number }[];
}

export interface MainFile {
  readonly path: string;
  readonly size_bytes: number | null;
}

/** A rank that others wait for: where it spends more time than they do. */
export interface LateRank {
  readonly name: string;
  readonly parts: readonly LatePart[];
}

export interface LatePart {
  readonly kind: "call" | "between" | "code";
  readonly source: string;
  /** The line of the next call; null: not between two calls. */
  readonly until: string | null;
  readonly time_s: number;
  /** Mean of the other ranks. */
  readonly others_s: number;
}

export interface Action {
  /** Software or language it is for; `any`: for all. */
  readonly stack: string;
  /** Direction it is for; flush: writes that a flush in the program causes; null: both. */
  readonly op: "read" | "write" | "flush" | null;
  /** Whether it fits language, library and direction of the finding. */
  readonly fits: boolean;
  /** Markdown, with its snippets. */
  readonly text: string;
}

export interface CheckName {
  readonly id: string;
  readonly title: string;
}

export interface UnknownCheck extends CheckName {
  readonly reason: string;
  /** What it is about, where this kind of log does not hold the calls that it judges. */
  readonly topic: string | null;
}

export interface Problem {
  readonly what: string;
  readonly reason: string;
}

export interface MetricTable {
  readonly title: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly unit: string;
    readonly doc: string;
  }[];
  readonly rows: readonly (readonly Value[])[];
  readonly rows_in_all: number;
  /** Rows that are here; missing: as many as `rows` has. Asking does not make the rows. */
  readonly count?: number;
  /** Values of a column by row, without making the rows; missing: `rows` are there. */
  readonly valuesOf?: (column: number) => (row: number) => Value;
}
