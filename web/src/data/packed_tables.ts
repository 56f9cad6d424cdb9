/** Large tables as columns, as `web/README.md` says: rows are made when somebody looks at them. */

import type { MetricTable, Value } from "./report";

type Column = MetricTable["columns"][number];

/** A column as it comes: differences of whole numbers, numbers (NaN: null), or differences of places in the words. */
export type PackedColumn =
  { readonly steps: Int32Array } | { readonly numbers: Float64Array } | { readonly codes: Int32Array };

export interface PackedTable {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly count: number;
  readonly rows_in_all: number;
  readonly data: readonly PackedColumn[];
}

export interface PackedTables {
  readonly tables: Readonly<Record<string, PackedTable>>;
  /** Texts and flags of all tables; code 0 is null, code n stands for `words[n - 1]`. */
  readonly words: readonly Value[];
}

/** Whole numbers out of their differences. */
export function summed(steps: Int32Array): Int32Array {
  const sums = new Int32Array(steps.length);
  let sum = 0;
  for (let row = 0; row < steps.length; row += 1) {
    sum = (sum + (steps[row] ?? 0)) | 0; // wraps as the writer does
    sums[row] = sum;
  }
  return sums;
}

/** Values of one column, by row. */
function valuesOf(column: PackedColumn, words: readonly Value[]): (row: number) => Value {
  if ("numbers" in column) {
    const { numbers } = column;
    return (row) => {
      const value = numbers[row] ?? Number.NaN;
      return Number.isNaN(value) ? null : value;
    };
  }
  const sums = summed("steps" in column ? column.steps : column.codes);
  return "steps" in column ? (row) => sums[row] ?? null : (row) => words[(sums[row] ?? 0) - 1] ?? null;
}

class TableOfColumns implements MetricTable {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows_in_all: number;
  readonly count: number;
  #rows: readonly (readonly Value[])[] | null = null;
  readonly #values: ((row: number) => Value)[] = [];

  constructor(
    private readonly packed: PackedTable,
    private readonly words: readonly Value[],
  ) {
    ({ title: this.title, columns: this.columns, rows_in_all: this.rows_in_all, count: this.count } = packed);
  }

  readonly valuesOf = (column: number): ((row: number) => Value) => {
    const packed = this.packed.data[column];
    return (this.#values[column] ??= packed === undefined ? () => null : valuesOf(packed, this.words));
  };

  get rows(): readonly (readonly Value[])[] {
    if (this.#rows === null) {
      const columns = this.packed.data.map((_, at) => this.valuesOf(at));
      this.#rows = Array.from({ length: this.packed.count }, (_, row) => columns.map((value) => value(row)));
    }
    return this.#rows;
  }
}

/** Tables by name. */
export function unpackedTables({ tables, words }: PackedTables): Record<string, MetricTable> {
  return Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, new TableOfColumns(table, words)]));
}
