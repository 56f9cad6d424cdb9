/** The table of files: one row per file, put together from the metric tables. */

import { layerName } from "../base/text";
import type { FileIndex } from "../base/units";
import { fileIndex } from "../base/units";
import { BOTTOM_UP } from "../base/generated/layers";
import type { Description } from "../data/interface";
import type { Finding, Report, Value } from "../data/report";
import type { MetricRow } from "./metric";
import { metricRowsOf, numberOf, rowCount, rowsAbout, textOf } from "./metric";
import { filePatterns, patternCell } from "./pattern";
import type { Column } from "./table";

const column = (name: string, unit: string, doc: string, importance = 1): Column => ({
  name,
  label: name,
  unit,
  doc,
  importance,
});

export const FILE_COLUMNS: readonly Column[] = [
  column("path", "", "name as recorded"),
  column("layers", "", "layers that used it"),
  column("shared", "", "unique: one rank; some or all of the ranks", 2),
  column("ranks", "ranks", "ranks that used it"),
  column("time", "s", "time in calls, summed over ranks, of the lowest layer that used it", 0),
  column("metadata", "share", "share of that time in metadata calls", 0),
  column("slowest", "s", "time of its slowest rank"),
  column("read", "bytes", "bytes read", 0),
  column("written", "bytes", "bytes written", 0),
  { ...column("calls", "calls", "reads and writes", 0), label: "reads, writes" },
  column("mean size", "bytes", "bytes per read or write", 0),
  column("opens", "calls", "opens", 2),
  column("again", "share", "share of the bytes read that must have been read before: more than the file holds", 2),
  // no path: it is cut at its end
  { ...column("pattern", "", "how the requests of each rank follow each other", 0), words: (value) => value },
];

/** Of mapped files; shown where a file was mapped. Their pages are in no read or write. */
export const MAPPED_COLUMNS: readonly Column[] = [
  column(
    "mapped, touched",
    "bytes",
    "bytes of pages of mappings that processes touched, with those that the kernel mapped around them",
  ),
  column(
    "mapped, in memory",
    "bytes",
    "bytes of pages of mappings that were in memory when these ended, whoever brought them",
    2,
  ),
];

export const fileColumns = (report: Report): readonly Column[] =>
  rowCount(report.metrics.mapped_file) > 0 ? [...FILE_COLUMNS, ...MAPPED_COLUMNS] : FILE_COLUMNS;

/** What is known of the requests to one file, by layer and operation. */
export const FACT_COLUMNS: readonly Column[] = [
  column("layer", "", "layer that made the requests"),
  column("op", "", "read or write"),
  column("calls", "calls", "requests"),
  column("extents", "extents", "different places and sizes among them"),
  column("bytes", "bytes", "bytes moved"),
  column("moved again", "bytes", "bytes that were moved before"),
  column("share", "share", "share of the bytes that were moved before"),
  column("time", "s", "time in the requests, summed over ranks"),
  column("off stripe", "share", "share of the requests that do not begin at a stripe; empty: the layout is not known"),
  column("cross stripes", "share", "share of the requests that reach into the next stripe"),
];

/** Rows of `FACT_COLUMNS`; `id`: the `file_id`. */
export function factRows(report: Report, id: string): Value[][] {
  const of = (table: string): MetricRow[] => metricRowsOf(rowsAbout(report.metrics[table] ?? null, "file_id", id));
  const stripes = of("stripe_crossing");
  return of("redundancy").map((row) => {
    const [layer, op] = [textOf(row("layer")), textOf(row("op"))];
    const [bytes, again] = [numberOf(row("bytes")), numberOf(row("redundant_bytes"))];
    // Stripes are cut by the requests that reach the file system.
    const stripe = layer === "posix" ? stripes.find((one) => one("op") === op) : undefined;
    return [
      layerName(layer),
      op,
      numberOf(row("calls")),
      numberOf(row("extents")),
      bytes,
      again,
      again === null || !bytes ? null : again / bytes,
      numberOf(row("time_s")),
      numberOf(stripe?.("unaligned_ratio") ?? null),
      numberOf(stripe?.("crossing_ratio") ?? null),
    ];
  });
}

export interface FileRows {
  readonly rows: readonly (readonly Value[])[];
  /** File of each row; null: the tables name one that the description does not. */
  readonly files: readonly (FileIndex | null)[];
}

/** Layers whose rows are of objects in files. */
const OF_OBJECTS: readonly string[] = ["hdf5_dataset", "pnetcdf_var"];

/** Files that were opened or used: no datasets in them, and no names that were looked for in vain. */
export function fileCount(report: Report): number {
  const isUsed = (row: MetricRow): boolean => ["opens", "reads", "writes"].some((name) => numberOf(row(name)) !== 0);
  const rows = metricRowsOf(report.metrics.file_layer ?? null).filter(
    (row) => !OF_OBJECTS.includes(textOf(row("layer"))) && isUsed(row),
  );
  return new Set(rows.map((row) => textOf(row("file_id")))).size;
}

/** `pathOf`: name of a `file_id`. */
export function fileRows(description: Description, report: Report, pathOf: (id: string) => string): FileRows {
  const byId = new Map<string, MetricRow[]>();
  for (const row of metricRowsOf(report.metrics.file_layer ?? null)) {
    const id = textOf(row("file_id"));
    const rows = byId.get(id);
    if (rows) rows.push(row);
    else byId.set(id, [row]);
  }
  const again = new Map<string, number | null>();
  for (const row of metricRowsOf(report.metrics.reread ?? null)) {
    const [again_bytes, bytes] = [numberOf(row("again_low_bytes")), numberOf(row("bytes"))];
    if (row("op") === "read")
      again.set(textOf(row("file_id")), again_bytes === null || !bytes ? null : again_bytes / bytes);
  }
  const mapped = new Map(
    metricRowsOf(report.metrics.mapped_file ?? null).map((row) => [
      textOf(row("file_id")),
      [numberOf(row("touched_bytes")), numberOf(row("resident_bytes"))],
    ]),
  );
  const ofMappings = (id: string): Value[] =>
    mapped.size === 0 ? [] : (mapped.get(id) ?? MAPPED_COLUMNS.map(() => null));
  const known = new Map(description.files.map((file, at) => [file.file_id, fileIndex(at)]));
  const patterns = filePatterns(report);
  const rows: Value[][] = [];
  const files: (FileIndex | null)[] = [];
  const place = (layer: string): number => (BOTTOM_UP.indexOf(layer) + BOTTOM_UP.length + 1) % (BOTTOM_UP.length + 1);
  for (const [id, layers] of byId) {
    const sorted =
      layers.length === 1 ? layers : [...layers].sort((a, b) => place(textOf(a("layer"))) - place(textOf(b("layer"))));
    const row = sorted[0];
    if (row === undefined) continue;
    const [read, written] = [numberOf(row("bytes_read")), numberOf(row("bytes_written"))];
    const [reads, writes] = [numberOf(row("reads")), numberOf(row("writes"))];
    const calls = reads === null && writes === null ? null : (reads ?? 0) + (writes ?? 0);
    rows.push([
      pathOf(id),
      sorted.map((one) => layerName(textOf(one("layer")))).join(", "),
      textOf(row("sharing")),
      numberOf(row("ranks")),
      numberOf(row("time_s")),
      numberOf(row("metadata_ratio")),
      numberOf(row("slowest_s")),
      read,
      written,
      calls,
      calls ? ((read ?? 0) + (written ?? 0)) / calls : null,
      numberOf(row("opens")),
      again.get(id) ?? null,
      patternCell(patterns.get(id)),
      ...ofMappings(id),
    ]);
    files.push(known.get(id) ?? null);
  }
  return { rows, files };
}

/** The file behind `chunked.h5:/rows`, a dataset: offsets of calls are recorded for the file. */
export function fileOfDataset(description: Description, file: FileIndex): FileIndex | null {
  const path = description.files[file]?.path ?? "";
  const cut = path.lastIndexOf(":");
  const at = cut > 0 ? description.files.findIndex((one) => one.path === path.slice(0, cut)) : -1;
  return at >= 0 ? fileIndex(at) : null;
}

/** The file that took the most time among those with data; null: none moved any. */
export function heaviestFile({ rows, files }: FileRows): FileIndex | null {
  let heaviest: FileIndex | null = null;
  let most = -1;
  rows.forEach((row, at) => {
    const [time, read, written] = [row[4], row[7], row[8]];
    const file = files[at] ?? null;
    if (file === null || typeof time !== "number" || time <= most || !(Number(read) > 0 || Number(written) > 0)) return;
    [heaviest, most] = [file, time];
  });
  return heaviest;
}

/** The file to show without a choice, and why: what the first finding is about, else what takes the most time. */
export function firstFile(
  table: FileRows,
  description: Description,
  findings: readonly Finding[],
): { readonly file: FileIndex; readonly why: "most" | "data" | Finding } | null {
  const rowOf = (file: FileIndex): readonly Value[] | undefined => table.rows[table.files.indexOf(file)];
  const hasData = (file: FileIndex): boolean => [7, 8].some((at) => Number(rowOf(file)?.[at] ?? 0) > 0);
  const first = findings.find(({ severity }) => severity === "high" || severity === "warn");
  const wanted = new Set<string | null>(first?.files ?? []);
  const byPath = new Map<string | null, FileIndex>();
  if (wanted.size > 0)
    description.files.forEach(({ path }, at) => {
      if (wanted.has(path)) byPath.set(path, fileIndex(at));
    });
  for (const path of first?.files ?? []) {
    const file = byPath.get(path);
    if (first && file !== undefined && hasData(file)) return { file, why: first };
  }
  const file = heaviestFile(table);
  if (file === null) return null;
  // too many for arguments of a function
  const most = table.rows.reduce((sum, row) => Math.max(sum, Number(row[4] ?? 0)), 0);
  return { file, why: Number(rowOf(file)?.[4] ?? 0) >= most ? "most" : "data" };
}
