/** Turns the numbers of tiles into pictures, away from the thread that follows the pointer. */

import type { Painting, Painted } from "./painter";
import { paintTogether } from "../model/paint";

interface Scope {
  onmessage: ((event: MessageEvent<Painting>) => void) | null;
  postMessage(message: Painted, transfer: Transferable[]): void;
}
const scope = self as unknown as Scope;

scope.onmessage = ({ data: { id, tiles, by, theme } }) => {
  const pictures = paintTogether(tiles, by, theme).map((pixels, at) => {
    const { width, height } = tiles[at] ?? { width: 1, height: 1 };
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext("2d")?.putImageData(new ImageData(pixels, width, height), 0, 0);
    return canvas.transferToImageBitmap();
  });
  scope.postMessage({ id, pictures }, pictures);
};
