/** SQL as it is typed: which names fit at the caret, and where an error is. */

import type { Value } from "../data/report";

export interface SqlColumn {
  readonly name: string;
  readonly type: string;
}

/** Columns of each table by its name. */
export type SqlSchema = ReadonlyMap<string, readonly SqlColumn[]>;

/** What a query engine says of its own tables. */
export const SCHEMA_QUESTION =
  "select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' " +
  "order by table_name, ordinal_position";

export function schemaOf(rows: readonly (readonly Value[])[]): SqlSchema {
  const schema = new Map<string, SqlColumn[]>();
  for (const [table, name, type] of rows) {
    const columns = schema.get(String(table)) ?? [];
    columns.push({ name: String(name), type: String(type) });
    schema.set(String(table), columns);
  }
  return schema;
}

const KEYWORDS = [
  "select",
  "from",
  "where",
  "group by",
  "order by",
  "having",
  "limit",
  "join",
  "left join",
  "on",
  "using",
  "as",
  "and",
  "or",
  "not",
  "in",
  "is null",
  "is not null",
  "between",
  "like",
  "case",
  "when",
  "then",
  "else",
  "end",
  "distinct",
  "with",
  "union all",
  "desc",
  "asc",
  "over",
  "partition by",
  "count(*)",
  "sum(",
  "avg(",
  "min(",
  "max(",
  "median(",
  "coalesce(",
  "round(",
  "cast(",
];

export interface Completion {
  readonly text: string;
  readonly kind: "column" | "table" | "keyword";
  /** Type of a column, or the tables that have it. */
  readonly detail: string;
}

export interface Completions {
  /** The word that a completion replaces begins here. */
  readonly from: number;
  readonly list: readonly Completion[];
}

const MOST = 12;

/** Tables that a statement names after FROM or JOIN, by the name that its columns are asked with. */
function namedTables(statement: string, schema: SqlSchema): Map<string, string> {
  const named = new Map<string, string>();
  for (const [, table = "", alias] of statement.matchAll(
    /\b(?:from|join)\s+([a-z_]\w*)(?:\s+(?:as\s+)?([a-z_]\w*))?/gi,
  )) {
    if (!schema.has(table)) continue;
    named.set(table, table);
    if (
      alias !== undefined &&
      !/^(where|on|join|left|right|inner|cross|group|order|limit|using|having|union)$/i.test(alias)
    )
      named.set(alias, table);
  }
  return named;
}

/** Names that begin with what stands before the caret; `isAsked`: also where nothing does. */
export function completionsAt(statement: string, caret: number, schema: SqlSchema, isAsked: boolean): Completions {
  const [, qualifier = "", word = ""] = /(?:([a-z_]\w*)\.)?([a-z_]\w*)?$/i.exec(statement.slice(0, caret)) ?? [];
  const from = caret - word.length;
  if (word === "" && qualifier === "" && !isAsked) return { from, list: [] };
  const named = namedTables(statement, schema);
  const start = word.toLowerCase();
  const fits = (name: string): boolean => name.toLowerCase().startsWith(start) && name.toLowerCase() !== start;
  const columnsOf = (tables: Iterable<string>): Completion[] =>
    [...new Set(tables)].flatMap((table) =>
      (schema.get(table) ?? []).map(({ name, type }) => ({
        text: name,
        kind: "column" as const,
        detail: `${table}, ${type}`,
      })),
    );
  if (qualifier !== "")
    return {
      from,
      list: columnsOf([named.get(qualifier) ?? qualifier])
        .filter((one) => fits(one.text))
        .slice(0, MOST),
    };
  const isTable = /\b(?:from|join)\s+[a-z_]*$/i.test(statement.slice(0, caret));
  const tables: Completion[] = [...schema.keys()].map((name) => ({ text: name, kind: "table", detail: "" }));
  const keywords: Completion[] = KEYWORDS.map((name) => ({ text: name, kind: "keyword", detail: "" }));
  const all = isTable
    ? tables
    : [
        ...columnsOf(named.values()),
        ...keywords,
        ...(named.size === 0 ? [...tables, ...columnsOf(schema.keys())] : tables),
      ];
  const seen = new Set<string>();
  return {
    from,
    list: all.filter((one) => fits(one.text) && !seen.has(one.text) && seen.add(one.text)).slice(0, MOST),
  };
}

export interface ErrorPlace {
  readonly from: number;
  readonly to: number;
}

/** Where an error of the engine is: a line and column, or a name that it quotes; null: it does not say. */
export function errorPlace(statement: string, message: string): ErrorPlace | null {
  const wordFrom = (from: number): ErrorPlace => ({
    from,
    to: from + Math.max(1, /^\w+/.exec(statement.slice(from))?.[0].length ?? 1),
  });
  const [, line, column] = /Line: (\d+), Column: (\d+)/.exec(message) ?? [];
  if (line !== undefined && column !== undefined) {
    const before = statement
      .split("\n")
      .slice(0, Number(line) - 1)
      .reduce((sum, one) => sum + one.length + 1, 0);
    return wordFrom(Math.min(statement.length, before + Number(column) - 1));
  }
  if (/found: EOF/.test(message))
    return { from: Math.max(0, statement.trimEnd().length - 1), to: statement.trimEnd().length };
  for (const [, name = ""] of message.matchAll(/["'`]([\w.]+)["'`]/g)) {
    const at = new RegExp(`\\b${name.replaceAll(".", "\\.")}\\b`, "i").exec(statement)?.index;
    if (at !== undefined) return { from: at, to: at + name.length };
  }
  return null;
}

const MOST_KEPT = 40;

/** The latest first, each once. */
export const withStatement = (history: readonly string[], statement: string): string[] =>
  [statement, ...history.filter((one) => one !== statement)].slice(0, MOST_KEPT);

/** What this browser kept; anything else reads as no history. */
export function readHistory(words: string | null): string[] {
  try {
    const list: unknown = JSON.parse(words ?? "[]");
    return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
