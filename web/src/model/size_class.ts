/** Calls of one class of sizes out of a list. The data interface has no filter for sizes: they are picked here. */

import type { CallColumns } from "../data/interface";

export interface SizeClass {
  readonly low_bytes: number;
  /** The first size that is too large; null: none is. */
  readonly end_bytes: number | null;
}

/** `101..1025`, as the address has it; null: no class. */
export function readSizeClass(words: string | null): SizeClass | null {
  const match = /^(\d{1,15})\.\.(\d{0,15})$/.exec(words ?? "");
  if (match === null) return null;
  return { low_bytes: Number(match[1]), end_bytes: match[2] === "" ? null : Number(match[2]) };
}

/** Rows of the calls of a class, the longest first. */
export function rowsOfSize(calls: CallColumns, { low_bytes, end_bytes }: SizeClass): number[] {
  const duration = (row: number): number => (calls.end_s[row] ?? 0) - (calls.start_s[row] ?? 0);
  return Array.from({ length: calls.count }, (_, row) => row)
    .filter((row) => { const size = calls.size_bytes[row] ?? Number.NaN; return size >= low_bytes && (end_bytes === null || size < end_bytes); })
    .sort((a, b) => duration(b) - duration(a));
}
