/** Kinds of calls follow from the classes of `diya-model`. */

import { expect, it } from "vitest";
import { classOfOp, kindOfOp } from "../../src/base/kinds";

it("the flush of a stream is a write, as in the time account", () => {
  expect([classOfOp("flush"), kindOfOp("flush")]).toEqual(["write", "write"]);
});

it("locks, syncs and completions have the colour of waits", () => {
  expect(["lock", "sync", "datasync", "sync_map", "wait"].map(kindOfOp)).toEqual(Array(5).fill("wait"));
});

it("an unknown operation counts as metadata", () => {
  expect(kindOfOp("constructor_of_nothing")).toBe("metadata");
});
