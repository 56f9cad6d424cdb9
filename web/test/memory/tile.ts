/** Tiles and activity, computed call by call: slow and plain, so that it can be trusted in tests. */

import type { Activity, Axis, CallFilter, Plane, Tile, TileRequest } from "../../src/data/interface";
import { KINDS } from "../../src/data/interface";
import { kindCodes, kindOf, matching, splitAtStripes } from "./filter";
import { layersBelow, ownSpans, united } from "../../src/model/own_time";
import type { Store } from "./timeline";

/** Position on an axis in cells, or NaN where the value has no place on it. */
function cellOf(axis: Axis, value: number): number {
  if (!axis.log) return ((value - axis.from) / (axis.to - axis.from)) * axis.cells;
  if (value <= 0) return 0;
  return (Math.log(value / axis.from) / Math.log(axis.to / axis.from)) * axis.cells;
}

type Span = readonly [number, number];

/** First and last position of a call on an axis; several for targets. */
function spansOf(store: Store, axis: Axis, positions: Int32Array, call: number): Span[] {
  const { calls, description } = store;
  const start = calls.start_s[call] ?? 0;
  const end = calls.end_s[call] ?? 0;
  const offset = calls.offset_bytes[call] ?? Number.NaN;
  const size = calls.size_bytes[call] ?? Number.NaN;
  const span = (from: number, to: number): Span[] =>
    Number.isNaN(from) ? [] : [[cellOf(axis, from), cellOf(axis, to)]];
  switch (axis.of) {
    case "time":
      return span(start, end);
    case "offset":
      return span(offset, offset + (size > 0 ? size : 0));
    case "size":
      return span(size, size);
    case "duration":
      return span(end - start, end - start);
    case "track": {
      const position = positions[calls.track[call] ?? 0] ?? -1;
      return position < 0 ? [] : [[cellOf(axis, position), cellOf(axis, position + 1)]];
    }
    case "target":
      return [...splitAtStripes(store, call).keys()].map((id) => {
        const position = description.targets.indexOf(id);
        return [cellOf(axis, position), cellOf(axis, position + 1)];
      });
  }
}

/** Cells that a span touches; a point touches one. */
function cellsOf([from, to]: Span, cells: number): Span | null {
  const first = Math.max(0, Math.floor(from));
  const last = Math.min(cells - 1, Math.max(Math.floor(from), Math.ceil(to) - 1));
  return first > last || from >= cells || to < 0 ? null : [first, last];
}

const overlap = ([from, to]: Span, cell: number): number => Math.max(0, Math.min(to, cell + 1) - Math.max(from, cell));

export function tileOf(store: Store, { filter, x, y, order, planes }: TileRequest): Tile {
  const { calls, description } = store;
  const positions = new Int32Array(description.tracks.rank.length).fill(order === null ? 0 : -1);
  if (order === null) positions.forEach((_, at) => (positions[at] = at));
  else order.tracks.forEach((track, at) => (positions[track] = at));
  const made = new Map(planes.map((plane) => [plane, new Float32Array(x.cells * y.cells)]));
  const kinds = kindCodes(store);
  const isTimed = x.of === "time" || y.of === "time";
  const timeCell = (axis: Axis): number => (axis.to - axis.from) / axis.cells;
  const perCell_s = x.of === "time" ? timeCell(x) : y.of === "time" ? timeCell(y) : 1;
  const tracksPerRow = y.of === "track" ? Math.max(1, (y.to - y.from) / y.cells) : 1;
  const reached_s = new Map<string, number>(); // end of the time already counted, by track and kind
  for (const call of matching(store, filter)) {
    const start = calls.start_s[call] ?? 0;
    const end = calls.end_s[call] ?? 0;
    const size = calls.size_bytes[call] || 0;
    const kind = KINDS[kinds[call] ?? 0] ?? "read";
    const key = `${calls.track[call]} ${kind}`;
    const fresh_s = Math.max(start, reached_s.get(key) ?? 0); // overlapping calls of one track count once
    reached_s.set(key, Math.max(end, fresh_s));
    for (const ySpan of spansOf(store, y, positions, call)) {
      const rows = cellsOf(ySpan, y.cells);
      if (rows === null) continue;
      for (const xSpan of spansOf(store, x, positions, call)) {
        const columns = cellsOf(xSpan, x.cells);
        if (columns === null) continue;
        for (let row = rows[0]; row <= rows[1]; row += 1) {
          const rowShare = y.of === "track" ? Math.min(1, overlap(ySpan, row) * tracksPerRow) : 1;
          for (let column = columns[0]; column <= columns[1]; column += 1) {
            const add = (plane: Plane, value: number): void => {
              const cells = made.get(plane);
              if (cells) cells[row * x.cells + column] = (cells[row * x.cells + column] ?? 0) + value;
            };
            const share =
              end > start && x.of === "time"
                ? overlap(xSpan, column) / (xSpan[1] - xSpan[0])
                : column === columns[0]
                  ? 1
                  : 0;
            const busy_s =
              x.of === "time"
                ? overlap([cellOf(x, fresh_s), Math.max(cellOf(x, fresh_s), xSpan[1])], column) * perCell_s
                : end - start;
            add(`busy_${kind}`, isTimed ? (busy_s / perCell_s / tracksPerRow) * rowShare : busy_s);
            add("bytes", size * share * rowShare);
            if (column === Math.floor(xSpan[0]) && row === rows[0]) add("calls", calls.calls[call] ?? 1);
            const longest = made.get("longest");
            if (longest) longest[row * x.cells + column] = Math.max(longest[row * x.cells + column] ?? 0, end - start);
          }
        }
      }
    }
  }
  if (made.has("busy_library")) partLibraries(store, { filter, x, y }, positions, made);
  return { width: x.cells, height: y.cells, planes: made, is_exact: true };
}

/** Moves what no call below covers from the kind of a call to the library, or to waiting where it is collective. */
function partLibraries(
  store: Store,
  { filter, x, y }: Pick<TileRequest, "filter" | "x" | "y">,
  positions: Int32Array,
  made: ReadonlyMap<Plane, Float32Array>,
): void {
  const { calls, description } = store;
  const everyone = Array.from({ length: calls.count }, (_, at) => at);
  const tracksPerRow = Math.max(1, (y.to - y.from) / y.cells);
  for (const call of matching(store, filter)) {
    const layer = description.layers[calls.layer[call] ?? 0] ?? "";
    const below = layersBelow(layer, description.layers);
    const [kind, track] = [kindOf(store, call), calls.track[call]];
    if (below.length === 0 || kind === "wait") continue;
    const inner = everyone.filter(
      (at) => calls.track[at] === track && below.includes(description.layers[calls.layer[at] ?? 0] ?? ""),
    );
    const own = ownSpans(
      [calls.start_s[call] ?? 0, calls.end_s[call] ?? 0],
      united(inner.map((at) => [calls.start_s[at] ?? 0, calls.end_s[at] ?? 0])),
    );
    const to = made.get(calls.is_collective[call] === 1 && made.has("busy_wait") ? "busy_wait" : "busy_library");
    const from = made.get(`busy_${kind}`);
    for (const ySpan of spansOf(store, y, positions, call)) {
      const rows = cellsOf(ySpan, y.cells);
      for (const span of own.map(([start, end]): Span => [cellOf(x, start), cellOf(x, end)])) {
        const columns = cellsOf(span, x.cells);
        if (rows === null || columns === null) continue;
        for (let row = rows[0]; row <= rows[1]; row += 1) {
          for (let column = columns[0]; column <= columns[1]; column += 1) {
            const [cell, share] = [
              row * x.cells + column,
              (overlap(span, column) / tracksPerRow) * Math.min(1, overlap(ySpan, row) * tracksPerRow),
            ];
            if (from) from[cell] = Math.max(0, (from[cell] ?? 0) - share);
            if (to) to[cell] = (to[cell] ?? 0) + share;
          }
        }
      }
    }
  }
}

export function activityOf(store: Store, filter: CallFilter, cells: number): Activity {
  const { layers } = store.description;
  const busy_tracks = new Float32Array(layers.length * KINDS.length * cells);
  const bytes_per_s = new Float32Array(busy_tracks.length);
  const longest_s = new Float32Array(layers.length * cells);
  const from = filter.start_s ?? 0;
  const to = filter.end_s ?? store.description.window.end_s;
  const x: Axis = { of: "time", from, to, cells, log: false };
  const y: Axis = { of: "track", from: 0, to: store.description.tracks.rank.length, cells: 1, log: false };
  const tracks = Math.max(1, y.to);
  layers.forEach((layer, at) => {
    if (filter.layers && !filter.layers.includes(layer)) return;
    KINDS.forEach((kind, code) => {
      if (filter.kinds && !filter.kinds.includes(kind)) return;
      const plane: Plane = `busy_${kind}`;
      const one = { ...filter, layers: [layer], kinds: [kind] };
      const tile = tileOf(store, { filter: one, x, y, order: null, planes: [plane, "bytes", "longest"] });
      const start = (at * KINDS.length + code) * cells;
      tile.planes.get(plane)?.forEach((share, cell) => (busy_tracks[start + cell] = share * tracks));
      tile.planes.get("bytes")?.forEach((sum, cell) => (bytes_per_s[start + cell] = sum / ((to - from) / cells)));
      tile.planes.get("longest")?.forEach((value, cell) => {
        longest_s[at * cells + cell] = Math.max(longest_s[at * cells + cell] ?? 0, value);
      });
    });
  });
  return { layers, cells, busy_tracks, bytes_per_s, longest_s };
}
