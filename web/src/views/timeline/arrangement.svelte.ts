/** Which ranks the lanes show, in which order and groups, and which groups are folded. */

import { track } from "../../base/units";
import type { MetricTable } from "../../data/report";
import { clusterGrouping } from "../../model/cluster";
import type { GroupBy } from "../../model/groups";
import { firstGrouping, groupChoices, groupLevels } from "../../model/groups";
import { measuresOf } from "../../model/measures";
import { metricRowsOf } from "../../model/metric";
import { visibleTracks } from "../../model/navigate";
import { planesFor } from "../../model/paint";
import { readRanges, writeRanges } from "../../model/ranges";
import { filterOf, wholeWindow } from "../../model/route";
import { rowLayout, rowsOfRanks } from "../../model/rows";
import { lowestLayers } from "../../model/activity";
import type { Grouping, SortTracksBy } from "../../model/tracks";
import { arrangeTracks } from "../../model/tracks";
import type { Page } from "../../widgets/page.svelte";
import { resource } from "../../widgets/resource.svelte";

const CLUSTER_CELLS = 48;
const MAX_COMPARED = 4096;

/** To be made while a component is. */
export class Arrangement {
  constructor(private readonly ask: () => Page) {
    $effect(() => {
      const { page } = this;
      page.rowsShown = {
        count: this.layout.rows,
        rowsOf: (ranks) => rowsOfRanks(ranks, page.description.tracks.rank, this.order, this.layout),
      };
      return () => (page.rowsShown = null);
    });
  }

  get page(): Page {
    return this.ask();
  }

  readonly by = $derived.by(() => (this.page.option("timeline.by") ?? "rank") as SortTracksBy);
  readonly isOnly = $derived.by(() => this.page.option("timeline.only") === "1");

  /** Where the nodes stand: a metric of the report, else a table of the server. */
  readonly #placeTable = resource<MetricTable>((signal) => {
    const { description, source } = this.page;
    const name = ["node_place", "topology"].find((one) =>
      description.tables.some((table) => table.name === one && table.rows > 0),
    );
    return name === undefined
      ? null
      : source
          .table({ name, first: 0, count: 100_000, sort: null, search: "" }, signal)
          .then((rows) => ({ title: name, ...rows }));
  });
  readonly #places = $derived.by(() => metricRowsOf(this.#placeTable.value));
  readonly choices = $derived.by(() => groupChoices(this.page.description, this.#places, this.page.names));
  readonly #first = $derived.by(() => firstGrouping(this.choices, this.page.description.tracks.rank.length));
  readonly groupBy = $derived.by(
    () => this.choices.find((one) => one === this.page.option("timeline.group")) ?? this.#first,
  );

  /** Ranks that do alike in the visible time, by a coarse tile of it. */
  readonly #clusters = resource<Grouping>((signal) => {
    const { description, selection, source } = this.page;
    const { length } = description.tracks.rank;
    if (this.groupBy !== "cluster" || length > MAX_COMPARED) return null;
    const at = selection.time ?? wholeWindow(description);
    const layers = selection.layers ?? lowestLayers(description.layers);
    const filter = filterOf({ ...selection, time: null, ranks: null, layers }, description);
    return source
      .tile(
        {
          filter: { ...filter, start_s: at.start, end_s: at.end },
          x: { of: "time", from: at.start, to: at.end, cells: CLUSTER_CELLS, log: false },
          y: { of: "track", from: 0, to: length, cells: length, log: false },
          order: null,
          planes: planesFor("kind", description.op_kinds),
        },
        signal,
      )
      .then((tile) => clusterGrouping(tile, description.tracks.rank));
  });
  readonly isWaiting = $derived.by(() => this.groupBy === "cluster" && this.#clusters.isWaiting);

  readonly #shown = $derived.by(() =>
    this.isOnly ? filterOf(this.page.selection, this.page.description).tracks : null,
  );
  readonly #levels = $derived.by(() =>
    groupLevels(this.page.description, this.groupBy, this.#places, this.#clusters.value, this.page.names),
  );
  readonly order = $derived.by(() => {
    const { description, report } = this.page;
    return arrangeTracks(description, this.by, measuresOf(description, report), this.#shown, this.#levels, (rank) =>
      this.page.rowName(rank),
    );
  });
  /** Groups of many processes are folded until the reader opens one; `none` in the address: all are open. */
  readonly #isFoldedFirst = $derived.by(
    () => this.groupBy !== "none" && (this.groupBy === this.#first || this.groupBy === "block"),
  );
  /** Indices in the groups of the order. */
  readonly folded: ReadonlySet<number> = $derived.by(() => {
    const words = this.page.option("timeline.folded") ?? (this.#isFoldedFirst ? "all" : null);
    return new Set(words === "all" ? this.order.groups.keys() : (readRanges(words ?? "") ?? []));
  });
  readonly layout = $derived.by(() => rowLayout(this.order, this.folded));
  readonly rows = $derived.by(() => visibleTracks(this.page.route, this.layout.rows));

  /** Ranks that stay above each lane, wherever the lanes are scrolled to. */
  readonly pins = $derived.by(() => {
    const ranks = new Set(readRanges(this.page.option("timeline.pins") ?? "") ?? []);
    const tracks = [...this.page.description.tracks.rank].flatMap((rank, at) => (ranks.has(rank) ? track(at) : []));
    return { id: `pins:${tracks.join(".")}`, tracks: Int32Array.from(tracks), groups: [] };
  });
  readonly pinLayout = $derived.by(() => rowLayout(this.pins, new Set()));

  readonly togglePin = (rank: number): void => {
    const ranks = readRanges(this.page.option("timeline.pins") ?? "") ?? [];
    const next = ranks.includes(rank) ? ranks.filter((one) => one !== rank) : [...ranks, rank];
    this.page.set("timeline.pins", next.length > 0 ? next.join(",") : null);
  };

  readonly fold = (index: number): void => {
    const next = new Set(this.folded);
    if (!next.delete(index)) next.add(index);
    const isAll = next.size === this.order.groups.length;
    this.foldTo(next.size === 0 ? null : isAll ? "all" : writeRanges([...next]));
  };

  /** The visible rows are others afterwards: all of them. */
  readonly foldTo = (words: string | null): void => {
    const options = new Map(this.page.route.options);
    options.delete("timeline.rows");
    if (words === null && this.#isFoldedFirst) options.set("timeline.folded", "none");
    else if (words === null) options.delete("timeline.folded");
    else options.set("timeline.folded", words);
    this.page.go({ ...this.page.route, options }, false);
  };

  /** Ranks that do alike are grouped to be one row. */
  readonly group = (by: GroupBy): void => {
    this.foldTo(by === "none" ? null : "all");
    this.page.set("timeline.group", by === this.#first ? null : by);
  };
}
