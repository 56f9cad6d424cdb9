/** One cell of a heat map in words: where it lies, and what is in it. */

import { formatByUnit } from "../base/format";
import { KINDS } from "../base/kinds";
import { text } from "../base/text";
import { visible } from "../base/visible";
import type { Tile } from "../data/interface";
import type { MapAxis } from "./map";
import { valueAt } from "./map";
import type { ColourBy } from "./paint";

/** A place as shares of both axes, each from its own start. */
export interface MapPlace {
  readonly x: number;
  readonly y: number;
}

function placeText(axis: MapAxis, share: number): string {
  const value = valueAt(axis, share);
  const name = axis.names?.[Math.min(axis.names.length - 1, Math.floor(value))];
  return (
    `${axis.label}: ` +
    `${name === undefined ? formatByUnit(axis.unit === "s" ? value : Math.round(value), axis.unit) : visible(name)}`
  );
}

/** `worth`: a value of the picture with its unit; `idle`: an empty cell in words. */
export function cellText(
  x: MapAxis,
  y: MapAxis,
  tile: Tile,
  place: MapPlace,
  colourBy: ColourBy,
  worth: (value: number) => string,
  idle: string,
): string[] {
  const cell = (share: number, cells: number): number => Math.max(0, Math.min(cells - 1, Math.floor(share * cells)));
  const at = cell(place.y, tile.height) * tile.width + cell(place.x, tile.width);
  const value = tile.planes.get(colourBy === "kind" ? "busy_read" : colourBy)?.[at] ?? 0;
  const kinds = KINDS.filter((kind) => (tile.planes.get(`busy_${kind}`)?.[at] ?? 0) > 0).map(
    (kind) => text.kinds[kind],
  );
  const inside = colourBy === "kind" ? kinds.join(", ") : value > 0 ? worth(value) : "";
  return [inside === "" ? idle : inside, placeText(x, place.x), placeText(y, place.y)];
}
