/** Pictures of tiles, made in a worker: painting a million cells would hold up a frame. */

import type { Theme } from "../base/colours";
import type { Tile } from "../data/interface";
import type { ColourBy } from "../model/paint";
import PaintWorker from "./paint.worker?worker&inline";

export interface Painting {
  readonly id: number;
  /** Of one picture: they share a scale. */
  readonly tiles: readonly Tile[];
  /** Of each tile: its rows are groups. */
  readonly areSummaries: readonly boolean[];
  readonly by: ColourBy;
  readonly theme: Theme;
}

/** A picture of a tile; a summary comes with its numbers, which are few. */
export interface Picture {
  readonly bitmap: ImageBitmap;
  readonly summary: { readonly tile: Tile; readonly tops: readonly number[] } | null;
}

export interface Painted {
  readonly id: number;
  readonly pictures: readonly Picture[];
}

export class Painter {
  #worker: Worker | null = null;
  #waiting = new Map<number, (pictures: readonly Picture[]) => void>();
  #nextId = 1;

  /** The tiles are given away: their numbers cannot be read afterwards. */
  paint(
    tiles: readonly Tile[],
    areSummaries: readonly boolean[],
    by: ColourBy,
    theme: Theme,
  ): Promise<readonly Picture[]> {
    const worker = (this.#worker ??= this.#start());
    const id = this.#nextId;
    this.#nextId += 1;
    const buffers = new Set(
      tiles.flatMap((tile) => [...tile.planes.values()].map((plane) => plane.buffer as ArrayBuffer)),
    );
    return new Promise((done) => {
      this.#waiting.set(id, done);
      worker.postMessage({ id, tiles, areSummaries, by, theme } satisfies Painting, [...buffers]);
    });
  }

  #start(): Worker {
    const worker = new PaintWorker();
    worker.onmessage = ({ data }: MessageEvent<Painted>) => {
      this.#waiting.get(data.id)?.(data.pictures);
      this.#waiting.delete(data.id);
    };
    return worker;
  }
}
