/** From untrusted JSON to a `Report`: types are checked here, once, and nowhere else. */

import { SourceError } from "./interface";
import type { PackedTables } from "./packed_tables";
import { unpackedTables } from "./packed_tables";
import type {
  AccountRow,
  Action,
  Confidence,
  Evidence,
  Finding,
  LatePart,
  LateRank,
  MetricTable,
  Report,
  Saving,
  Severity,
  SourceCost,
  Threshold,
  TimePart,
  Value,
} from "./report";

/** Version of the layout that this page reads. */
export const REPORT_VERSION = 1;

type Fields = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);
const texts = (value: unknown): string[] => list(value).filter((item) => typeof item === "string");
const numbers = (value: unknown): number[] => list(value).filter((item) => typeof item === "number");
const optionalText = (value: unknown): string | null => (typeof value === "string" ? value : null);

function plain(value: unknown): Value {
  if (typeof value === "number" || typeof value === "string" || typeof value === "boolean") return value;
  return null;
}

function values(value: unknown): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields(value)).map(([name, item]) => [name, plain(item)]));
}

function threshold(value: unknown): Threshold {
  const from = fields(value);
  return { value: plain(from.value), unit: text(from.unit), label: text(from.label), why: text(from.why) };
}

const SEVERITIES: readonly Severity[] = ["high", "warn", "unexplained", "info", "ok"];
const CONFIDENCES: readonly Confidence[] = ["low", "medium", "high"];

function saving(from: Record<string, unknown>): Saving {
  return { saved_s: number(from.saved_s), lost_low_s: number(from.lost_low_s), lost_high_s: number(from.lost_high_s) };
}

function accountRow(value: unknown): AccountRow {
  const from = fields(value);
  return {
    layer: text(from.layer),
    class: text(from.class),
    op: optionalText(from.op),
    function: optionalText(from.function),
    time_s: number(from.time_s) ?? 0,
    calls: number(from.calls),
    bytes: number(from.bytes),
    awaited: optionalText(from.awaited),
  };
}

function timePart(value: unknown): TimePart {
  const from = fields(value);
  return {
    name: text(from.name),
    class: text(from.class),
    time_s: number(from.time_s) ?? 0,
    is_between_calls: from.is_between_calls === true,
  };
}

function finding(value: unknown): Finding {
  const from = fields(value);
  const window = numbers(from.window_s);
  const evidence: Evidence[] = list(from.evidence).map((row) => ({
    text: text(fields(row).text),
    values: values(fields(row).values),
  }));
  const actions: Action[] = list(from.actions)
    .map(fields)
    .map((one) => ({
      stack: text(one.stack),
      op: one.op === "read" || one.op === "write" || one.op === "flush" ? one.op : null,
      fits: one.fits === true,
      text: text(one.text),
    }));
  return {
    id: text(from.id),
    code: text(from.code),
    title: text(from.title),
    severity: SEVERITIES.find((one) => one === from.severity) ?? "info",
    ...saving(from),
    zero_because: optionalText(from.zero_because),
    explained_by: optionalText(from.explained_by),
    text: text(from.text),
    evidence,
    evidence_rows: number(from.evidence_rows) ?? evidence.length,
    thresholds: Object.fromEntries(
      Object.entries(fields(from.thresholds)).map(([name, one]) => [name, threshold(one)]),
    ),
    files: texts(from.files),
    ranks: numbers(from.ranks),
    window_s: window.length === 2 ? [window[0] ?? 0, window[1] ?? 0] : null,
    targets: numbers(from.targets),
    source: texts(from.source),
    lines: list(from.lines).map(fields).map(sourceCost),
    other_lines: from.other_lines == null ? null : otherLines(fields(from.other_lines)),
    changes: texts(from.changes),
    main_files: list(from.main_files)
      .map(fields)
      .map((one) => ({ path: text(one.path), size_bytes: number(one.size_bytes) })),
    late: from.late == null ? null : lateRank(fields(from.late)),
    actions,
    gain: text(from.gain),
    contraindications: texts(from.contraindications),
    verify: text(from.verify),
    wrong_when: text(from.wrong_when),
  };
}

const sourceCost = (from: Fields): SourceCost => ({
  source: text(from.source),
  symbol: optionalText(from.symbol),
  layer: text(from.layer),
  calls: number(from.calls) ?? 0,
  time_s: number(from.time_s) ?? 0,
  callers: list(from.callers)
    .map(fields)
    .map((one) => ({ source: text(one.source), share: number(one.share) ?? 0 })),
});

const LATE_KINDS: readonly LatePart["kind"][] = ["call", "between", "code"];

const lateRank = (from: Fields): LateRank => ({
  name: text(from.name),
  parts: list(from.parts)
    .map(fields)
    .map((one) => ({
      kind: LATE_KINDS.find((kind) => kind === one.kind) ?? "call",
      source: text(one.source),
      until: optionalText(one.until),
      time_s: number(one.time_s) ?? 0,
      others_s: number(one.others_s) ?? 0,
    })),
});

const otherLines = (from: Fields): Finding["other_lines"] => ({
  lines: number(from.lines) ?? 0,
  calls: number(from.calls) ?? 0,
  time_s: number(from.time_s) ?? 0,
});

function metric(value: unknown): MetricTable {
  const from = fields(value);
  const rows = list(from.rows).map((row) => list(row).map(plain));
  return {
    title: text(from.title),
    columns: list(from.columns).map((column) => {
      const of = fields(column);
      return { name: text(of.name), type: text(of.type), unit: text(of.unit), doc: text(of.doc) };
    }),
    rows,
    rows_in_all: number(from.rows_in_all) ?? rows.length,
  };
}

const named = (value: unknown): { id: string; title: string } => ({
  id: text(fields(value).id),
  title: text(fields(value).title),
});

/**
 * @throws SourceError when it is no report, or one of a later layout.
 */
export function parseReport(value: unknown): Report {
  const from = fields(value);
  const version = number(from.schema_version);
  if (version === null) throw new SourceError("This file is not a report of diya.");
  if (version > REPORT_VERSION) {
    throw new SourceError(
      `The report has layout ${version}, this page reads ${REPORT_VERSION}. Make both with one version of diya.`,
    );
  }
  const job = fields(from.job);
  const verdict = fields(from.verdict);
  const all = fields(from.all_fixed);
  return {
    schema_version: version,
    program: text(from.program),
    logs: texts(from.logs),
    job: {
      id: number(job.id),
      command: optionalText(job.command),
      nprocs: number(job.nprocs),
      programs: texts(job.programs),
      applied: texts(job.applied),
      applied_effects: texts(job.applied_effects),
      notes: texts(job.notes),
      nodes: number(job.nodes),
      start: optionalText(job.start),
      run_s: number(job.run_s),
      stacks: texts(job.stacks),
    },
    verdict: {
      text: text(verdict.text),
      brief: text(verdict.brief),
      io_share: number(verdict.io_share),
      io_s: number(verdict.io_s),
      io_low_s: number(verdict.io_low_s),
      io_high_s: number(verdict.io_high_s),
      run_s: number(verdict.run_s),
      bytes: number(verdict.bytes),
      throughput_bytes_per_s: number(verdict.throughput_bytes_per_s),
      confidence: CONFIDENCES.find((one) => one === verdict.confidence) ?? "low",
      not_captured: texts(verdict.not_captured),
      recorder_s: number(verdict.recorder_s),
    },
    time_account: list(from.time_account).map(accountRow),
    time_parts: list(from.time_parts).map(timePart),
    all_fixed: from.all_fixed == null ? null : saving(all),
    findings: list(from.findings).map(finding),
    passed: list(from.passed).map(named),
    not_applicable: list(from.not_applicable).map(named),
    unknown: list(from.unknown).map((one) => ({
      ...named(one),
      reason: text(fields(one).reason),
      topic: optionalText(fields(one).topic),
    })),
    problems: list(from.problems).map((one) => ({ what: text(fields(one).what), reason: text(fields(one).reason) })),
    metrics: {
      ...Object.fromEntries(Object.entries(fields(from.metrics)).map(([name, table]) => [name, metric(table)])),
      // made and checked by the wire format
      ...(from.packed === undefined ? {} : unpackedTables(from.packed as PackedTables)),
    },
  };
}
