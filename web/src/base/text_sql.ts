/** English text of the SQL part of the view Tables. */

import { formatCount } from "./format";

export const sqlText = {
  heading: "SQL",
  run: "Run",
  runHint: "Ctrl and Enter",
  stop: "Stop",
  running: "running…",
  stopped: "Stopped. The page is ready for the next query.",
  none: "SQL does not work in this file: use `diya open LOG`, or `diya sql LOG 'select …'` in the terminal.",
  example: "select layer, sum(bytes) from file_op group by layer",
  keys: "Ctrl and Space lists the names that fit; Tab or Enter takes one.",
  completions: "Names that fit",
  kinds: { column: "column", table: "table", keyword: "SQL" },
  history: "History",
  historyEmpty: "No query was run in this browser.",
  clearHistory: "Clear history",
  schema: "Tables and columns",
  find: "Find a table or column",
  insert: (name: string) => `Insert ${name}`,
  tables: (shown: number, all: number) =>
    shown === all ? `${formatCount(all)} tables` : `${formatCount(shown)} of ${formatCount(all)} tables`,
  errorAt: (line: number, column: number) => `line ${line}, column ${column}: `,
  rows: (rows: number, all: number) =>
    rows < all
      ? `${formatCount(rows)} of ${formatCount(all)} rows`
      : rows === 1
        ? "1 row"
        : `${formatCount(rows)} rows`,
  chart: {
    bar: "Bar chart",
    line: "Line chart",
    none: "Table",
    title: "Result of the query",
    noNumbers: "The result has no numbers to draw.",
    summary: (shown: number, all: number) =>
      shown < all
        ? `The first ${formatCount(shown)} of ${formatCount(all)} rows.`
        : all === 1
          ? "1 row."
          : `${formatCount(all)} rows.`,
  },
} as const;
