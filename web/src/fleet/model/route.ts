/** Filters in the address: a link shows the same jobs. */

import type { JobFilter } from "./jobs";
import { NO_FILTER } from "./jobs";

const DAY_S = 86_400;

export const dateText = (at_s: number | null): string =>
  at_s === null ? "" : new Date(at_s * 1000).toISOString().slice(0, 10);

/** Start of a day in UTC; null: no date. */
export function dateSeconds(text: string): number | null {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? null : at / 1000;
}

/** The last day that counts, as people name it. */
export const lastDay = (before_s: number | null): string => dateText(before_s === null ? null : before_s - DAY_S);
export const afterDay = (text: string): number | null => {
  const at = dateSeconds(text);
  return at === null ? null : at + DAY_S;
};

export function readFilter(hash: string): JobFilter {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const of = (name: string): string => values.get(name) ?? "";
  return {
    system: of("system"),
    user: of("user"),
    program: of("program"),
    project: of("project"),
    search: of("search"),
    from_s: dateSeconds(of("from")),
    before_s: afterDay(of("to")),
  };
}

export function writeFilter(filter: JobFilter): string {
  const values = new URLSearchParams();
  const { system, user, program, project, search } = { ...NO_FILTER, ...filter };
  for (const [name, value] of Object.entries({
    system,
    user,
    program,
    project,
    from: dateText(filter.from_s),
    to: lastDay(filter.before_s),
    search,
  }))
    if (value !== "") values.set(name, value);
  return values.size === 0 ? "" : `#${values.toString()}`;
}
