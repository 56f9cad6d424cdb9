/** Groups that ranks stand in: by node, switch, enclosure, log, or what they did. */

import type { Description } from "../data/interface";
import type { MetricRow } from "./metric";
import { textOf } from "./metric";
import type { Grouping } from "./tracks";

export type GroupBy = "none" | "node" | "switch" | "enclosure" | "log" | "cluster";

/** Sorts `node2` before `node10`. */
const byName = new Intl.Collator("en", { numeric: true }).compare;

/** `nameOf`: group of a track; null: not known, which is a group of its own, the last one. */
function groupedBy(
  description: Description,
  id: string,
  nameOf: (track: number) => string | null,
  unknown: string,
): Grouping {
  const names = Array.from(description.tracks.rank, (_, at) => nameOf(at));
  const known = [...new Set(names.filter((name) => name !== null))].sort(byName);
  const index = new Map(known.map((name, at) => [name, at]));
  const isAny = names.includes(null);
  return {
    id,
    names: isAny ? [...known, unknown] : known,
    of: Int32Array.from(names, (name) => (name === null ? known.length : (index.get(name) ?? 0))),
  };
}

/**
 * `places`: rows of the table of nodes (`host`, `switch`, `enclosure`).
 * `clusters`: for `cluster`, once it is known. null: no groups.
 */
export function groupingOf(
  description: Description,
  by: GroupBy,
  places: readonly MetricRow[],
  clusters: Grouping | null,
): Grouping | null {
  const { host, log } = description.tracks;
  const hostOf = (at: number): string | null => description.hosts[host[at] ?? -1] ?? null;
  switch (by) {
    case "node":
      return groupedBy(description, by, hostOf, "node not recorded");
    case "switch":
    case "enclosure": {
      const place = new Map(places.map((row) => [textOf(row("host")), textOf(row(by))]));
      const nameOf = (at: number): string | null => {
        const name = place.get(hostOf(at) ?? "");
        return name === undefined || name === "" ? null : name;
      };
      return groupedBy(description, by, nameOf, `${by} not known`);
    }
    case "log":
      return groupedBy(
        description,
        by,
        (at) => `${String(log[at] ?? 0)}: ${description.logs[log[at] ?? 0]?.name ?? "log"}`,
        "",
      );
    case "cluster":
      return clusters;
    default:
      return null;
  }
}

/** By what these ranks can be grouped: a choice of one group is none. */
export function groupChoices(description: Description, places: readonly MetricRow[]): GroupBy[] {
  const choices: GroupBy[] = ["none"];
  if (description.hosts.length > 1) choices.push("node");
  for (const by of ["switch", "enclosure"] as const) {
    if (new Set(places.map((row) => textOf(row(by))).filter((name) => name !== "")).size > 1) choices.push(by);
  }
  if (description.logs.length > 1) choices.push("log");
  if (description.tracks.rank.length > 2) choices.push("cluster");
  return choices;
}
