import { describe, expect, it } from "vitest";
import { callsOfLayer, layersBelow, ownSpans, spansBelow, united } from "../../src/model/own_time";
import { parseTimeline, storeOf } from "../memory/timeline";

const LAYERS = ["hdf5_dataset", "mpiio", "stdio", "posix"];

describe("the time of a library", () => {
  it("is known where a layer below it is in the log", () => {
    expect(layersBelow("hdf5_dataset", LAYERS)).toEqual(["mpiio", "stdio", "posix"]);
    expect(layersBelow("stdio", LAYERS)).toEqual([]);
    expect(layersBelow("mpiio", ["mpiio"])).toEqual([]);
  });
  it("is what no call below covers", () => {
    expect(
      united([
        [3, 4],
        [0, 1],
        [0.5, 2],
      ]),
    ).toEqual([
      [0, 2],
      [3, 4],
    ]);
    expect(
      ownSpans(
        [1, 6],
        [
          [0, 2],
          [3, 4],
        ],
      ),
    ).toEqual([
      [2, 3],
      [4, 6],
    ]);
    expect(ownSpans([1, 2], [[0, 3]])).toEqual([]);
    expect(ownSpans([1, 2], [])).toEqual([[1, 2]]);
  });
  it("is the time of the calls of a layer without the calls of lower layers", () => {
    const { calls, description } = storeOf(
      parseTimeline("rank layer op start end\n0 mpiio write 0 4\n0 posix write 1 2\n1 posix write 1 3"),
    );
    const layer = description.layers.indexOf("mpiio");
    expect(callsOfLayer(calls, layer)).toMatchObject({ count: 1, end_s: Float64Array.of(4) });
    expect([...spansBelow(calls, layer)]).toEqual([
      [0, [[1, 2]]],
      [1, [[1, 3]]],
    ]);
  });
});
