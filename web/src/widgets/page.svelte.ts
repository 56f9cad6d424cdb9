/** What all views share: the source, what is shown, and the way to change it. */

import type { Snippet } from "svelte";
import type { Theme } from "../base/colours";
import { text } from "../base/text";
import { Painter } from "./painter";
import { onPrinting } from "./printing.svelte";
import { visible } from "../base/visible";
import type { CallFilter, Description, LogSource } from "../data/interface";
import type { MetricTable, Report } from "../data/report";
import type { Pick } from "../model/chart";
import type { NamedView } from "../model/declared_view";
import type { PointedPlace, ShownRows } from "../model/navigate";
import { visibleWindow, withView } from "../model/navigate";
import type { Note } from "../model/notes";
import { readNotes, withNote, writeNotes } from "../model/notes";
import type { ProcessNames } from "../model/process_names";
import { inWordsOf, processNames, trackName } from "../model/process_names";
import type { Run, ServedRuns } from "../model/runs";
import type { Route, Selection } from "../model/route";
import type { Column } from "../model/table";
import type { TimeWindow } from "../model/time_axis";
import { withMargin } from "../model/time_axis";
import { filterOf, NOTHING_SELECTED, readRoute, wholeWindow, writeRoute } from "../model/route";

export type ThemeChoice = "auto" | Theme;

/** Browsers refuse more than some hundred changes of the address in ten seconds: it follows when zooming rests. */
const REST_MS = 250;

export class Page {
  route: Route = $state.raw({ view: "", selection: NOTHING_SELECTED, options: new Map() });
  themeChoice: ThemeChoice = $state("auto");
  systemTheme: Theme = $state("light");
  isHelpOpen = $state(false);
  /** Rows of the timeline's lanes, fewer than ranks where groups are folded; null: it is not shown. */
  rowsShown: ShownRows | null = $state.raw(null);
  /** Where the pointer is in the timeline; not state: keys ask for it. */
  pointed: PointedPlace | null = null;
  /** Counts how often evidence was shown: the timeline pulses once for each. */
  pulses = $state(0);
  /** Where the evidence that was shown last reaches over nearly the whole run; null: it is a part of it. */
  wideEvidence: TimeWindow | null = $state.raw(null);
  readonly painter = new Painter();
  /** Runs that this one is compared with; they stay when the view changes. */
  otherRuns: readonly Run[] = $state.raw([]);
  /** Numbers of those that the server of this page has. */
  readonly openedRuns = new Set<number>();

  /** Controls of the view that is shown; they stand in the row of the selection. */
  tools: Snippet | null = $state.raw(null);
  /** Where the reader was before a jump to the timeline; null: they came by themselves. */
  origin: Route | null = $state.raw(null);
  /** How far down the reader was there, pixels; and where the next view begins. */
  private originTop = 0;
  nextTop = 0;
  /** Paper is white. */
  isPrinting = $state(false);

  readonly theme: Theme = $derived(
    this.isPrinting ? "light" : this.themeChoice === "auto" ? this.systemTheme : this.themeChoice,
  );
  readonly selection: Selection = $derived(this.route.selection);
  readonly filter: CallFilter = $derived.by(() => filterOf(this.route.selection, this.description));

  constructor(
    readonly source: LogSource,
    readonly description: Description,
    readonly report: Report,
    /** Of which the first is shown where the address names none. */
    readonly views: readonly NamedView[],
    /** Whether the calls are there yet; the report is, unless it is still being worked out ("judging"). */
    readonly calls:
      { readonly state: "opening" | "judging" | "open" } | { readonly state: "failed"; readonly reason: string } = {
      state: "open",
    },
    /** Opens a run from a file that the user chose. */
    readonly openFile: (name: string, content: string) => Promise<Run> = () =>
      Promise.reject(new Error(text.compare.wrongFile)),
    /** null: the page is a file, or its server has no other run. */
    readonly served: ServedRuns | null = null,
  ) {
    const first = views[0]?.id ?? "";
    this.route = readRoute(location.hash, first);
    const chosen = document.documentElement.dataset.choice; // outlives a page that is replaced when its calls are there
    if (chosen === "light" || chosen === "dark") this.themeChoice = chosen;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const follow = (): void => void (this.systemTheme = dark.matches ? "dark" : "light");
    follow();
    dark.addEventListener("change", follow);
    onPrinting((value) => (this.isPrinting = value));
    addEventListener("hashchange", () => this.#arrive(readRoute(location.hash, first)));
  }

  get hasCalls(): boolean {
    return this.description.holding.kind !== "none";
  }

  /** `isStep`: a step that Back undoes; zooming and sorting are none. */
  go(route: Route, isStep = true): void {
    this.#arrive(route);
    clearTimeout(this.#writing);
    if (isStep) this.#write(true);
    else this.#writing = setTimeout(() => this.#write(false), REST_MS);
  }

  /** The way back is that of the timeline: elsewhere the reader has found another one. */
  #arrive(route: Route): void {
    if (route.view !== "timeline") this.origin = null;
    this.route = route;
  }

  #writing: ReturnType<typeof setTimeout> | undefined;

  #write(isStep: boolean): void {
    const hash = writeRoute(this.route);
    if (hash === location.hash) return;
    if (isStep) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  }

  choose(theme: ThemeChoice): void {
    this.themeChoice = theme;
    document.documentElement.dataset.choice = theme;
  }

  show(view: string): void {
    this.origin = null; // also where the timeline is opened by its name
    this.go({ ...this.route, view });
  }

  /** Goes there, and remembers the way back. */
  jump(route: Route): void {
    if (this.route.view !== route.view) {
      this.origin = this.route;
      this.originTop = scrollY;
    }
    this.go(route);
  }

  /** What a mark of a picture stands for. */
  pick({ selection, view = this.route.view, options = {} }: Pick): void {
    const all = new Map([...this.route.options, ...Object.entries(options)]);
    this.go({ view, selection: { ...this.selection, ...selection }, options: all });
  }

  goBack(): void {
    if (this.origin === null) return;
    this.nextTop = this.originTop;
    this.go(this.origin);
  }

  /** As the navigation calls it. */
  nameOfView(id: string): string {
    return (this.views.find((one) => one.id === id) ?? this.views[0])?.name ?? "";
  }

  select(change: Partial<Selection>, view = this.route.view): void {
    this.go({ ...this.route, view, selection: { ...this.route.selection, ...change } });
  }

  clear(): void {
    this.go({ ...this.route, selection: NOTHING_SELECTED });
  }

  option(name: string): string | null {
    return this.route.options.get(name) ?? null;
  }

  /** null: as it is without. */
  set(name: string, value: string | null): void {
    const options = new Map(this.route.options);
    if (value === null) options.delete(name);
    else options.set(name, value);
    this.go({ ...this.route, options }, false);
  }

  /** Marks the selected time, or what is visible, and leads to the words of the note. */
  addNote(): void {
    const { time, ranks } = this.selection;
    const note: Note = { time: time ?? visibleWindow(this.route, this.description), ranks, words: "" };
    const notes = withNote(readNotes(this.option("timeline.notes")), note);
    this.set("timeline.notes", writeNotes(notes));
    const at = notes.indexOf(note) + 1;
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>(`.notes li:nth-child(${at}) input`)?.focus());
  }

  /** The place of a note, with room around it; its ranks are selected. */
  showNote({ time, ranks }: Note): void {
    const route = { ...this.route, selection: { ...this.selection, time, ranks } };
    this.go(withView(route, withMargin(time, wholeWindow(this.description))));
  }

  /** What processes are called, from the report. */
  readonly names: ProcessNames = $derived.by(() => processNames(this.report));

  /** A text that speaks of ranks, in the words for the processes of this log. */
  inWords(words: string): string {
    return inWordsOf(this.names.noun, words);
  }

  /** A process by the number that tables have of it. */
  processName(rank: number): string {
    return visible(rank < 0 ? this.inWords("all ranks") : this.names.of(this.selection.log ?? 0, rank));
  }

  /** Columns whose numbers of processes are read by their names; of a job of ranks they are the ranks. */
  named(columns: readonly Column[]): readonly Column[] {
    if (this.names.noun === "rank" || this.description.logs.length > 1) return columns;
    return columns.map((column) => ({
      ...column,
      label: this.inWords(column.label),
      doc: this.inWords(column.doc),
      ...(column.unit === "rank" ? { nameOf: (rank: number) => this.processName(rank) } : {}),
    }));
  }

  /** `rank 3`, or `process 1204 (solver)`. */
  trackName(at: number): string {
    return visible(trackName(this.description, this.names, at));
  }

  /** What stands beside a row: the number of a rank, or of a process as tables name it. */
  rowName(rank: number): string {
    return this.names.noun === "rank"
      ? String(rank)
      : (this.trackName(this.description.tracks.rank.indexOf(rank)).match(/\d+/)?.[0] ?? String(rank));
  }

  metric(name: string): MetricTable | null {
    return this.report.metrics[name] ?? null;
  }

  /** Path of a file of the tables, as text that is safe to read. */
  pathOfId(fileId: string | number | boolean | null): string {
    const entry = this.#byId().get(String(fileId));
    return entry === undefined ? `file ${String(fileId)}` : this.pathOf(entry);
  }

  indexOfId(fileId: string | number | boolean | null): number | null {
    return this.#byId().get(String(fileId)) ?? null;
  }

  pathOf(index: number): string {
    const file = this.description.files[index];
    if (file === undefined) return text.app.missing;
    return file.path === null ? `file ${file.file_id}` : visible(file.path);
  }

  #ids: Map<string, number> | null = null;

  #byId(): Map<string, number> {
    this.#ids ??= new Map(this.description.files.map((file, at) => [file.file_id, at]));
    return this.#ids;
  }
}
