/** What the page of a fleet holds beside its tables, parsed at the border. */

import type { Value } from "../../data/report";

export const FLEET_VERSION = 1;

export interface Param {
  readonly name: string;
  readonly default: number;
  readonly unit: string;
  readonly why: string;
}

export interface Question {
  readonly name: string;
  readonly number: number | null;
  readonly title: string;
  readonly notes: readonly string[];
  readonly picture: string;
  readonly params: readonly Param[];
  /** The statement that was run. */
  readonly sql: string;
  /** Why it has no answer; null: it has one. */
  readonly error: string | null;
}

/** Files that were looked at, by what became of them. */
export interface FileStatus {
  readonly status: string;
  readonly files: number;
  readonly example_error: string | null;
}

/** All jobs of the dataset, also those that the table leaves out. */
export interface Totals {
  readonly jobs: number;
  readonly timed_jobs: number;
  readonly partial_jobs: number;
  readonly judged_jobs: number;
  readonly users: number;
  readonly programs: number;
  readonly core_hours: number | null;
  readonly io_core_hours: number | null;
  readonly recoverable_core_hours: number | null;
  readonly bytes_read: number | null;
  readonly bytes_written: number | null;
  readonly first_start: string | null;
  readonly last_start: string | null;
}

export interface Head {
  readonly version: number;
  /** A dataset, or a folder whose jobs a server judges. */
  readonly kind: "fleet" | "folder";
  readonly program: string;
  readonly title: string;
  readonly dataset: string;
  readonly totals: Totals;
  readonly files: readonly FileStatus[];
  readonly questions: readonly Question[];
  /** Folder of pages of single jobs beside the page, by the number of their row; null: none. */
  readonly pages: string | null;
}

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const words = (value: unknown): string => (typeof value === "string" ? value : "");
const wordsOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);
const numberOrNull = (value: unknown): number | null => (typeof value === "number" ? value : null);
const count = (value: unknown): number => numberOrNull(value) ?? 0;

function questionOf(value: unknown): Question {
  const of = fields(value);
  const params = list(of.params).map(fields);
  return {
    name: words(of.name),
    number: numberOrNull(of.number),
    title: words(of.title),
    notes: list(of.notes).map(words),
    picture: words(of.picture),
    sql: words(of.sql),
    error: wordsOrNull(of.error),
    params: params.map((one) => ({
      name: words(one.name),
      default: count(one.default),
      unit: words(one.unit),
      why: words(one.why),
    })),
  };
}

export function totalsOf(value: unknown): Totals {
  const totals = fields(value);
  return {
    jobs: count(totals.jobs),
    timed_jobs: count(totals.timed_jobs),
    partial_jobs: count(totals.partial_jobs),
    judged_jobs: count(totals.judged_jobs),
    users: count(totals.users),
    programs: count(totals.programs),
    core_hours: numberOrNull(totals.core_hours),
    io_core_hours: numberOrNull(totals.io_core_hours),
    recoverable_core_hours: numberOrNull(totals.recoverable_core_hours),
    bytes_read: numberOrNull(totals.bytes_read),
    bytes_written: numberOrNull(totals.bytes_written),
    first_start: wordsOrNull(totals.first_start),
    last_start: wordsOrNull(totals.last_start),
  };
}

/** @throws Error when it was made for another version of the page. */
export function parseHead(value: unknown): Head {
  const of = fields(value);
  if (of.version !== FLEET_VERSION)
    throw new Error("The data in this file have another format than the page: make it again with `diya fleet report`.");
  return {
    version: FLEET_VERSION,
    kind: of.kind === "folder" ? "folder" : "fleet",
    pages: wordsOrNull(of.pages),
    program: words(of.program),
    title: words(of.title),
    dataset: words(of.dataset),
    totals: totalsOf(of.totals),
    files: list(of.files)
      .map(fields)
      .map((one) => ({
        status: words(one.status),
        files: count(one.files),
        example_error: wordsOrNull(one.example_error),
      })),
    questions: list(of.questions).map(questionOf),
  };
}

/** Name of the table with the answer to a question. */
export const answerName = (question: Pick<Question, "name">): string => `answer/${question.name}`;

export type Row = readonly Value[];
