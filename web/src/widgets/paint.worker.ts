/** Turns the numbers of tiles into pictures, away from the thread that follows the pointer. */

import type { Painting, Painted, Picture } from "./painter";
import { paintSummaries, paintTogether, SUMMARY_LINES, topsOf } from "../model/paint";

interface Scope {
  onmessage: ((event: MessageEvent<Painting>) => void) | null;
  postMessage(message: Painted, transfer: Transferable[]): void;
}
const scope = self as unknown as Scope;

function bitmapOf(pixels: Uint8ClampedArray<ArrayBuffer>, width: number, height: number): ImageBitmap {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas.transferToImageBitmap();
}

scope.onmessage = ({ data: { id, tiles, areSummaries, by, theme } }) => {
  const painted = paintTogether(tiles, by, theme);
  const pictures = tiles.map((tile, at): Picture => {
    const isSummary = by === "kind" && areSummaries[at] === true;
    const pixels = isSummary ? paintSummaries(tile, theme) : (painted[at] ?? new Uint8ClampedArray(4));
    const bitmap = bitmapOf(pixels, tile.width, isSummary ? tile.height * SUMMARY_LINES : tile.height);
    return { bitmap, summary: isSummary ? { tile, tops: topsOf(tile) } : null };
  });
  scope.postMessage(
    { id, pictures },
    pictures.map(({ bitmap }) => bitmap),
  );
};
