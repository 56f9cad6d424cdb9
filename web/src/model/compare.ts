/** Two runs side by side: what moved, by how much, and which findings came or went. */

import { formatByUnit, formatSeconds } from "../base/format";
import { layerName } from "../base/text";
import type { Finding, Report } from "../data/report";
import { metricRowsOf, numberOf, numberOr, textOf } from "./metric";

export interface Delta {
  readonly name: string;
  readonly unit: string;
  readonly first: number | null;
  readonly second: number | null;
  /** second over first; null: one is missing, or the first is 0. */
  readonly factor: number | null;
  /** -1: better when smaller, 1: better when larger, 0: neither. */
  readonly direction: -1 | 0 | 1;
}

function delta(
  name: string,
  unit: string,
  first: number | null,
  second: number | null,
  direction: Delta["direction"],
): Delta {
  return {
    name,
    unit,
    first,
    second,
    factor: first !== null && second !== null && first !== 0 ? second / first : null,
    direction,
  };
}

export function deltasOf(a: Report, b: Report): Delta[] {
  const list = [
    delta("run time", "s", a.verdict.run_s, b.verdict.run_s, -1),
    delta("time in I/O", "s", a.verdict.io_s, b.verdict.io_s, -1),
    delta("share of the run in I/O", "share", a.verdict.io_share, b.verdict.io_share, 0),
    delta("bytes moved", "bytes", a.verdict.bytes, b.verdict.bytes, 0),
    delta("bandwidth while in I/O", "bytes/s", a.verdict.throughput_bytes_per_s, b.verdict.throughput_bytes_per_s, 1),
    delta("processes", "processes", a.job.nprocs, b.job.nprocs, 0),
  ];
  const of = (report: Report) =>
    new Map(
      metricRowsOf(report.metrics.layer_op ?? null).map((row) => [`${textOf(row("layer"))} ${textOf(row("op"))}`, row]),
    );
  const [left, right] = [of(a), of(b)];
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const value = (rows: typeof left, name: string): number | null => numberOf(rows.get(key)?.(name) ?? null);
    const [layer = "", op = ""] = key.split(" ");
    const name = `${layerName(layer)} ${op}`;
    list.push(delta(`${name}: calls`, "calls", value(left, "calls"), value(right, "calls"), -1));
    list.push(delta(`${name}: time per process`, "s", value(left, "process_s"), value(right, "process_s"), -1));
  }
  return list.filter((one) => one.first !== null || one.second !== null);
}

/** Differences below this are noise of machines, not of programs. */
const NOISE = 0.05;

export function isBetter({ factor, direction }: Delta): boolean | null {
  if (factor === null || direction === 0 || Math.abs(factor - 1) < NOISE) return null;
  return direction > 0 ? factor > 1 : factor < 1;
}

/** `from 3 s to 1 s: 3.0 times faster`. */
function change(first: number, second: number): string {
  const words = `from ${formatSeconds(first)} to ${formatSeconds(second)}`;
  if (first === second || (first > 0 && Math.abs(second / first - 1) < NOISE))
    return `${words}: no difference beyond noise`;
  if (first <= 0 || second <= 0) return words;
  return second < first
    ? `${words}: ${(first / second).toFixed(1)} times faster`
    : `${words}: ${(second / first).toFixed(1)} times slower`;
}

/** The run first: a run can win although its I/O takes longer. */
export function compareSentence(a: Report, b: Report): string {
  const parts = [
    { name: "Run time", first: a.verdict.run_s, second: b.verdict.run_s },
    { name: "Time in I/O", first: a.verdict.io_s, second: b.verdict.io_s },
  ].flatMap(({ name, first, second }) =>
    first === null || second === null ? [] : [`${name} went ${change(first, second)}.`],
  );
  return parts.length > 0 ? parts.join(" ") : "Run time and I/O time of at least one run are unknown.";
}

export interface FindingChange {
  readonly finding: Finding;
  readonly in_first: boolean;
  readonly in_second: boolean;
}

export function findingChanges(a: Report, b: Report): FindingChange[] {
  const [first, second] = [
    new Map(a.findings.map((one) => [one.id, one])),
    new Map(b.findings.map((one) => [one.id, one])),
  ];
  return [...new Set([...first.keys(), ...second.keys()])].flatMap((id) => {
    const finding = first.get(id) ?? second.get(id);
    return finding ? { finding, in_first: first.has(id), in_second: second.has(id) } : [];
  });
}

/** Phases by their number: what each took in both runs. */
export function phaseDeltas(a: Report, b: Report, layer: string): Delta[] {
  const of = (report: Report) => metricRowsOf(report.metrics.phase ?? null).filter((row) => row("layer") === layer);
  const [left, right] = [of(a), of(b)];
  return Array.from({ length: Math.min(200, Math.max(left.length, right.length)) }, (_, at) =>
    delta(
      `phase ${numberOr(left[at]?.("phase") ?? right[at]?.("phase") ?? null, at)}`,
      "s",
      numberOf(left[at]?.("duration_s") ?? null),
      numberOf(right[at]?.("duration_s") ?? null),
      -1,
    ),
  );
}

export function shown(value: number | null, unit: string): string {
  return value === null ? "–" : formatByUnit(value, unit);
}
