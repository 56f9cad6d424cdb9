/** What a pointer does in the pictures of the timeline: it shows a call, selects, measures, moves, zooms. */

import { callIndex } from "../../base/units";
import type { CallDetail, CallFilter } from "../../data/interface";
import type { Lane, LanePoint } from "../../model/lane";
import { areaOf, callQuestion, momentAt, rowAt } from "../../model/lane";
import { withRows, withView } from "../../model/navigate";
import { readWindow, wholeWindow, writeWindow } from "../../model/route";
import type { TimeWindow } from "../../model/time_axis";
import { lengthOf, panned, zoomed } from "../../model/time_axis";
import { pannedTracks, zoomedTracks } from "../../model/tracks";
import type { Page } from "../../widgets/page.svelte";
import { resource } from "../../widgets/resource.svelte";
import type { PointerActions } from "../../widgets/timeline/pointerActions";

/** A lane whose calls can be pointed at; pinned rows neither zoom nor move. */
export interface CallLane extends Lane {
  readonly filter: CallFilter;
  readonly arePins: boolean;
}

/** To be made while a component is. */
export class Pointing {
  constructor(private readonly ask: () => Page) {}

  get page(): Page {
    return this.ask();
  }

  hovered: CallDetail | null = $state.raw(null);
  /** Pixels from the left. */
  cursor: number | null = $state(null);
  #dragging: { time: TimeWindow; ranks: readonly number[] | null } | null = $state.raw(null);
  #measuring: TimeWindow | null = $state.raw(null);
  #asked = 0;

  readonly isMeasuring = $derived.by(() => this.page.option("timeline.measure") === "1");
  readonly ruler = $derived.by(() => this.#measuring ?? readWindow(this.page.option("timeline.ruler")));
  /** What is selected, or will be when the button is let go. */
  readonly time = $derived.by(() => this.#dragging?.time ?? this.page.selection.time);
  readonly ranks = $derived.by(() => (this.#dragging ? this.#dragging.ranks : this.page.selection.ranks));
  readonly #whole = $derived.by(() => wholeWindow(this.page.description));

  /** The call that is kept, in the address: a link opens it. */
  readonly #keptCall = resource<CallDetail>(() => {
    const index = this.page.option("timeline.call");
    return index !== null && /^\d{1,10}$/.test(index) ? this.page.source.call(callIndex(Number(index))) : null;
  });
  readonly kept = $derived.by(() => (this.page.option("timeline.call") === null ? null : this.#keptCall.value));
  readonly keep = (detail: CallDetail | null): void =>
    this.page.set("timeline.call", detail?.calls.index[0]?.toString() ?? null);

  /** In a lane: calls, ranks and time. */
  inLane(lane: CallLane): PointerActions {
    return {
      onhover: (place) => void this.#hover(lane, place),
      onclick: (place) => void this.#callAt(lane, place).then(this.keep),
      onarea: (from, to, isDone) => {
        if (this.isMeasuring) return this.#measure(lane, from, to, isDone);
        const { time, tracks } = areaOf(lane, from, to, this.#whole);
        const { rank } = this.page.description.tracks;
        this.#dragging = { time, ranks: tracks && Array.from(tracks, (at) => rank[at] ?? -1) };
        if (!isDone) return;
        this.page.select({ time, ranks: this.#dragging.ranks ?? this.page.selection.ranks });
        this.#dragging = null;
      },
      onzoom: (place, factor, isTracks) =>
        isTracks && !lane.arePins ? this.#zoomRows(lane, place, factor) : this.#zoomTime(lane, place, factor),
      onpan: (dx, dy) => this.#pan(lane, dx, lane.arePins ? 0 : dy),
      isWhole: () => lengthOf(lane.view) >= lengthOf(this.#whole),
    };
  }

  /** In a picture that has a time, but no rows of ranks. */
  inTime(lane: CallLane): PointerActions {
    return {
      ...this.inLane(lane),
      onhover: (place) => this.#point(lane, place, false),
      onclick: () => undefined,
      onarea: (from, to, isDone) => {
        if (this.isMeasuring) return this.#measure(lane, from, to, isDone);
        const { time } = areaOf(lane, from, { ...to, y: from.y }, this.#whole);
        this.#dragging = isDone ? null : { time, ranks: null };
        if (isDone) this.page.select({ time });
      },
    };
  }

  async #callAt(lane: CallLane, point: LanePoint): Promise<CallDetail | null> {
    const asked = callQuestion(lane, point, lane.filter);
    if (asked === null) return null;
    const { source } = this.page;
    if (asked.of === "track") return source.nearestCall(lane.filter, asked.track, asked.at, asked.near);
    const found = await source.calls(asked.filter, "duration", 1);
    return found.count === 0 ? null : source.call(callIndex(found.index[0] ?? 0));
  }

  /** The line under the pointer, and the place that keys zoom about. */
  #point(lane: CallLane, place: LanePoint | null, hasRows: boolean): void {
    this.cursor = place?.x ?? null;
    this.page.pointed = place && {
      at: momentAt(lane, place.x),
      row: hasRows && !lane.arePins ? rowAt(lane, place.y) : null,
    };
  }

  /** In a lane: a call that the pointer has left is not shown until the next one is found. */
  async #hover(lane: CallLane, place: LanePoint | null): Promise<void> {
    this.#point(lane, place, true);
    const mine = (this.#asked += 1);
    if (place === null) this.hovered = null;
    const found = place === null ? null : await this.#callAt(lane, place).catch(() => null);
    if (mine === this.#asked) this.hovered = found;
  }

  #zoomRows(lane: Lane, place: LanePoint, factor: number): void {
    const count = lane.layout.rows;
    const rows = zoomedTracks(lane.rows, rowAt(lane, place.y), factor, count);
    this.page.go(withRows(this.page.route, rows, count), false);
  }

  #zoomTime(lane: Lane, place: LanePoint, factor: number): void {
    const view = zoomed(lane.view, momentAt(lane, place.x), factor, this.#whole);
    this.page.go(withView(this.page.route, view), false);
  }

  #pan({ view, rows, layout, width, height }: Lane, dx: number, dy: number): void {
    const moved = withView(this.page.route, panned(view, -dx / width, this.#whole));
    const shown = pannedTracks(rows, (-dy / height) * (rows.to - rows.from), layout.rows);
    this.page.go(withRows(moved, shown, layout.rows), false);
  }

  #measure(lane: Lane, from: LanePoint, to: LanePoint, isDone: boolean): void {
    const { time } = areaOf(lane, from, { x: to.x, y: from.y }, this.#whole);
    this.#measuring = isDone ? null : time;
    if (isDone) this.page.set("timeline.ruler", writeWindow(time));
  }
}
