/** Groups that ranks stand in: by program, node, switch, enclosure, log, or what they did. */

import { text } from "../base/text";
import { visible } from "../base/visible";
import type { Description } from "../data/interface";
import type { MetricRow } from "./metric";
import { textOf } from "./metric";
import type { ProcessNames } from "./process_names";
import type { Grouping, TrackGroup } from "./tracks";

export type GroupBy = "none" | "program" | "node" | "switch" | "enclosure" | "log" | "cluster" | "block";

/** Sorts `node2` before `node10`. */
const byName = new Intl.Collator("en", { numeric: true }).compare;

type ProgramNames = Pick<ProcessNames, "programOf">;

const programOf = ({ tracks }: Description, names: ProgramNames | null, at: number): string | null =>
  names?.programOf(tracks.log[at] ?? 0, tracks.rank[at] ?? -1) ?? null;

/** Groups by their first process: the program that starts the others is on top. */
function inOrder({ id, names, of }: Grouping): Grouping {
  const seen = [...new Set(of)];
  const place = new Map(seen.map((group, at) => [group, at]));
  return { id, names: seen.map((group) => names[group] ?? ""), of: of.map((group) => place.get(group) ?? 0) };
}

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
  names: ProgramNames | null = null,
): Grouping | null {
  const { host, log } = description.tracks;
  const hostOf = (at: number): string | null => description.hosts[host[at] ?? -1] ?? null;
  switch (by) {
    case "node":
      return groupedBy(description, by, hostOf, "node not recorded");
    case "program":
      return inOrder(groupedBy(description, by, (at) => programOf(description, names, at), "program not recorded"));
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

/** What stands inside of groups: a level that divides nothing is left out. */
const INSIDE: Readonly<Record<GroupBy, readonly GroupBy[]>> = {
  none: [],
  block: [],
  cluster: [],
  program: ["node"],
  node: ["program"],
  switch: ["node", "program"],
  enclosure: ["node", "program"],
  log: ["node", "program"],
};

/** Groups inside of groups, the outer ones first; null: no groups, none: blocks of neighbours. */
export function groupLevels(
  description: Description,
  by: GroupBy,
  places: readonly MetricRow[],
  clusters: Grouping | null,
  names: ProgramNames | null = null,
): readonly Grouping[] | null {
  if (by === "none" || (by === "cluster" && clusters === null)) return null;
  return [by, ...INSIDE[by]].flatMap((one) => {
    const level = groupingOf(description, one, places, clusters, names);
    return level === null || (one !== by && level.names.length < 2) ? [] : [level];
  });
}

/** More rows than these are a picture of none of them: programs are then one row each, until the reader opens them. */
const MANY_TRACKS = 24;
/** From here on several ranks share each line of the screen, and nodes say more. */
const MORE_THAN_LINES = 2000;

/** How a log is grouped at first: many processes by what they run, as a thousand rows of tools show nothing. */
export const firstGrouping = (choices: readonly GroupBy[], tracks: number): GroupBy =>
  choices.includes("program") && tracks > MANY_TRACKS
    ? "program"
    : tracks <= MORE_THAN_LINES
      ? "none"
      : choices.includes("node")
        ? "node"
        : "block";

/** Fewer ranks than these are no blocks. */
const BLOCKS_FROM = 40;

/** By what these ranks can be grouped: a choice of one group is none. */
export function groupChoices(
  description: Description,
  places: readonly MetricRow[],
  names: ProgramNames | null = null,
): GroupBy[] {
  const choices: GroupBy[] = ["none"];
  const programs = new Set(Array.from(description.tracks.rank, (_, at) => programOf(description, names, at)));
  if (programs.size > 1) choices.push("program");
  if (description.hosts.length > 1) choices.push("node");
  for (const by of ["switch", "enclosure"] as const) {
    if (new Set(places.map((row) => textOf(row(by))).filter((name) => name !== "")).size > 1) choices.push(by);
  }
  if (description.logs.length > 1) choices.push("log");
  if (description.tracks.rank.length > 2) choices.push("cluster");
  if (description.tracks.rank.length > BLOCKS_FROM) choices.push("block");
  return choices;
}

/** `sort: 350 processes`. */
export const groupText = (page: { inWords(words: string): string }, { name, count }: TrackGroup): string =>
  `${visible(name)}: ${page.inWords(text.timeline.groupRanks(count))}`;
