/** Tables as CSV (RFC 4180), safe to open in a spreadsheet. */

import type { Value } from "../data/report";

/**
 * A cell that begins like a formula gets an apostrophe: paths come from logs,
 * and a spreadsheet would run `=cmd|...`. Numbers stay numbers.
 */
function cell(value: Value): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvText(names: readonly string[], rows: Iterable<readonly Value[]>): string {
  const lines = [names.map(cell).join(",")];
  for (const row of rows) lines.push(row.map(cell).join(","));
  return `${lines.join("\r\n")}\r\n`;
}
