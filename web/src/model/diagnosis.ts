/** What the landing page says: the verdict's figures, and each finding with its way to the spot. */

import { formatByUnit, formatRatio, formatSaving, unitOfName } from "../base/format";
import { text } from "../base/text";
import type { FileIndex } from "../base/units";
import { fileIndex, seconds } from "../base/units";
import type { Description } from "../data/interface";
import type { Action, Evidence, Finding, Report, Severity, SourceCost, Threshold } from "../data/report";
import type { Route, Selection } from "./route";
import { placeOf, sourceLines } from "./source_lines";
import { NOTHING_SELECTED, wholeWindow, writeWindow } from "./route";
import { withRows } from "./navigate";
import { rowLayout, rowsOfRanks } from "./rows";
import { withMargin } from "./time_axis";
import { arrangeTracks } from "./tracks";

/** Rows of evidence below the claim, which is about the worst one. */
const MOST_ROWS = 6;

/** What differs between rows about one thing: one row for each kind of time that it costs. */
const OF_A_PART: readonly string[] = ["class", "lost_low_s", "lost_high_s", "saved_s"];

const thing = ({ values }: Evidence): string =>
  JSON.stringify(Object.entries(values).filter(([name]) => !OF_A_PART.includes(name)));

/** The rows of evidence behind the first one that say more than it, and how many more there are. */
export function furtherEvidence(finding: Finding): { readonly rows: readonly Evidence[]; readonly hidden: number } {
  const [first, ...others] = finding.evidence;
  const differ = others.filter((row) => first !== undefined && thing(row) !== thing(first));
  const rows = differ.slice(0, MOST_ROWS);
  return { rows, hidden: Math.max(0, differ.length - rows.length) + finding.evidence_rows - finding.evidence.length };
}

/** Severity as a word for people. */
export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  high: "High",
  warn: "Warn",
  unexplained: "?",
  info: "Info",
  ok: "OK",
};

/** Files by path. A path may occur in several logs. */
export function fileIndexByPath({ files }: Description): Map<string, FileIndex[]> {
  const byPath = new Map<string, FileIndex[]>();
  files.forEach(({ path }, at) => {
    if (path === null) return;
    const known = byPath.get(path);
    if (known) known.push(fileIndex(at));
    else byPath.set(path, [fileIndex(at)]);
  });
  return byPath;
}

/** A selection becomes useless in an address with thousands of ranks or files; then it stays wide. */
const MAX_FILES = 200;

/** Layers that a finding is about: those of its evidence, else that of its check; null: none of those in the log. */
function layersOf(finding: Finding, { layers }: Description): readonly string[] | null {
  const named = finding.evidence.flatMap(({ values }) => (typeof values.layer === "string" ? values.layer : []));
  const found = layers.filter((layer) => named.includes(layer));
  if (found.length > 0) return found;
  const ofCheck = layers.filter((layer) => layer === finding.layer || layer.startsWith(`${finding.layer}_`));
  return ofCheck.length > 0 ? ofCheck : null;
}

function kindsOf(finding: Finding): Selection["kinds"] {
  const ops = new Set(finding.evidence.flatMap(({ values }) => (typeof values.op === "string" ? values.op : [])));
  const kinds = (["read", "write", "metadata"] as const).filter((kind) => ops.has(kind));
  return kinds.length > 0 && kinds.length === ops.size ? kinds : null;
}

/**
 * The selection that holds what a finding is about.
 *
 * Ranks that the log has no calls of, and files it has no name of, narrow
 * nothing: an empty picture would prove nothing.
 */
export function selectionOf(finding: Finding, description: Description): Selection {
  const known = new Set(description.tracks.rank);
  const ranks = finding.ranks.filter((rank) => known.has(rank));
  const byPath = fileIndexByPath(description);
  const files = finding.files.flatMap((path) => byPath.get(path) ?? []);
  const [start, end] = finding.window_s ?? [0, 0];
  return {
    ...NOTHING_SELECTED,
    time: finding.window_s && end > start ? { start: seconds(start), end: seconds(end) } : null,
    ranks: ranks.length > 0 && ranks.length < known.size ? ranks : null,
    files: files.length > 0 && files.length <= MAX_FILES && files.length < description.files.length ? files : null,
    kinds: kindsOf(finding),
    layers: layersOf(finding, description),
    targets: finding.targets.length > 0 ? finding.targets : null,
  };
}

/** At most this many ranks are pinned as rows of their own. */
const MAX_PINS = 8;

/** On each side of what is shown, as a share of it. */
export const EVIDENCE_MARGIN = 0.08;
/** So many lanes are distinct without a closer look. */
const FEW_TRACKS = 32;

/** "Show me": where the finding is seen best. */
export function routeTo(finding: Finding, description: Description): Route {
  const selection = selectionOf(finding, description);
  if (description.holding.kind === "none") {
    const view = selection.ranks
      ? "ranks"
      : selection.targets
        ? "targets"
        : finding.files.length > 0
          ? "files"
          : "transfer";
    return { view, selection, options: new Map() };
  }
  // The layers below and above show what the finding does to them: they stay visible, and only
  // those of the finding are counted.
  const route = evidenceRoute(selection, description);
  return selection.layers === null ? route : { ...route, options: new Map(route.options).set(ALL_LANES, "all") };
}

/** Shows the lanes of all layers, whichever are selected. */
export const ALL_LANES = "timeline.lanes";

/** The calls of a line that a finding counts: not those that these make in the layers below. */
export function selectionOfLine(
  finding: Finding,
  { layer }: SourceCost,
  frame: string,
  description: Description,
): Selection {
  const { files, kinds } = selectionOf(finding, description);
  return { ...NOTHING_SELECTED, files, kinds, layers: description.layers.includes(layer) ? [layer] : null, frame };
}

/** The timeline with a selection in its middle: its time, and its ranks where they are a part of many. */
export function evidenceRoute(selection: Selection, description: Description): Route {
  const options = new Map<string, string>();
  if (selection.time)
    options.set("timeline.view", writeWindow(withMargin(selection.time, wholeWindow(description), EVIDENCE_MARGIN)));
  const route = { view: "timeline", selection, options };
  if (selection.ranks === null) return route;
  options.set("timeline.pins", selection.ranks.slice(0, MAX_PINS).join(","));
  const order = arrangeTracks(description, "rank", null, null);
  const range = rowsOfRanks(selection.ranks, description.tracks.rank, order, rowLayout(order, new Set()));
  const all = order.tracks.length;
  if (range === null || all <= FEW_TRACKS || range.to - range.from > all / 2) return route;
  options.set("timeline.group", "none"); // the rows are those of single ranks
  return withRows(route, { from: Math.max(0, range.from - 1), to: Math.min(all, range.to + 1) }, all);
}

/** What an action is for: `HDF5, reading`; null: for every program. */
export function actionHeading({ stack, op }: Action): string | null {
  const direction = op === null ? null : text.diagnosis.directions[op];
  if (stack === "any") return direction === null ? null : direction.charAt(0).toUpperCase() + direction.slice(1);
  return direction === null ? stack : `${stack}, ${direction}`;
}

/**
 * The fix of a finding: what fits its language, library and direction, and what does not.
 * The report has decided; of one made before it did, all are shown.
 */
export function fittingActions({ actions }: Finding): {
  readonly fitting: readonly Action[];
  readonly others: readonly Action[];
} {
  const fitting = actions.filter(({ fits }) => fits);
  return fitting.length > 0
    ? { fitting, others: actions.filter(({ fits }) => !fits) }
    : { fitting: actions, others: [] };
}

/** What a folded card says of the way out: the first line of the program, and the first sentence of the fix. */
export function leadOf(finding: Finding): { readonly place: string | null; readonly fix: string } | null {
  const sentence = /^.+?(?:\.(?=\s|$)|:(?=\n|$))/su.exec(fittingActions(finding).fitting[0]?.text ?? "")?.[0] ?? "";
  const [line] = sourceLines(finding);
  return sentence === "" || sentence.includes("```")
    ? null
    : {
        place: line === undefined ? null : placeOf(line.source),
        fix: sentence.replace(/:$/u, ".").replace(/\s+/gu, " "),
      };
}

/** A finding in one line: in the list below the verdict, and at the head of its card. */
export interface FindingLine {
  readonly finding: Finding;
  /** Of time without a cause its place. */
  readonly title: string;
  /** Counted from 1, in the order of the report. */
  readonly number: number;
  /** Number of the finding with the same cause; null: it stands on its own. */
  readonly same: number | null;
  /** `about 0.59 s (0.24 to 0.73)`, or why there is none. */
  readonly saving: string;
  /** Of the run; empty: not known. */
  readonly share: string;
}

/** All findings, each in a line, in the order of the report. */
export function findingLines({ findings, verdict }: Report): FindingLine[] {
  return findings.map((finding, at) => {
    const same = finding.same_time_as;
    const range = formatSaving(finding);
    const saving =
      finding.severity === "ok"
        ? ""
        : finding.severity === "unexplained"
          ? text.diagnosis.unexplained
          : same !== null
            ? text.diagnosis.sameTime(same)
            : range === null
              ? text.diagnosis.notQuantified
              : text.diagnosis.wins(range);
    const best_s = finding.saved_s ?? finding.lost_high_s;
    const isCounted =
      same === null &&
      saving !== "" &&
      finding.severity !== "unexplained" &&
      best_s !== null &&
      best_s > 0 &&
      verdict.run_s !== null &&
      verdict.run_s > 0;
    return {
      finding,
      title: finding.heading ?? finding.title,
      number: at + 1,
      same,
      saving,
      share: isCounted ? text.diagnosis.ofRun(formatRatio(Math.min(1, best_s / verdict.run_s))) : "",
    };
  });
}

/** A finding, and those about the same time. */
export interface FindingGroup {
  readonly line: FindingLine;
  readonly same: readonly FindingLine[];
}

/** The findings that stand on their own, each with those that it explains. */
export function findingGroups(lines: readonly FindingLine[]): FindingGroup[] {
  const own = lines.filter(({ same }) => same === null);
  return own.map((line) => ({ line, same: lines.filter(({ same }) => same === line.number) }));
}

/** What stands above the findings: how many there are, and how many of them are about the time of others. */
export function findingsTitle(lines: readonly FindingLine[]): string {
  if (lines.length === 0) return text.diagnosis.noFindings;
  const count = (...severities: readonly string[]): number =>
    lines.filter(({ finding, same }) => same === null && severities.includes(finding.severity)).length;
  const [major, minor, same] = [
    count("high", "warn"),
    count("info"),
    lines.filter((line) => line.same !== null).length,
  ];
  return [
    major > 0 ? text.diagnosis.findings(major) : "",
    minor > 0 ? text.diagnosis.minor(minor) : "",
    same > 0 ? text.diagnosis.ofSameTime(same) : "",
    count("ok") > 0 ? text.diagnosis.good(count("ok")) : "",
    count("unexplained") > 0 ? text.diagnosis.withoutCause : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

/** `request: at most 256 KiB`; of reports without words for it its name. */
export function thresholdText(name: string, { label, value, unit }: Threshold): string {
  const words = formatByUnit(value, unit || unitOfName(name));
  return label === "" ? `${name} = ${words}` : `${label} ${words}`;
}
