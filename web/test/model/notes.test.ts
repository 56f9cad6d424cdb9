import { describe, expect, it } from "vitest";
import { seconds } from "../../src/base/units";
import type { Note } from "../../src/model/notes";
import { readNotes, withNote, writeNotes } from "../../src/model/notes";

const note = (start: number, words: string, ranks: readonly number[] | null = null): Note => ({
  time: { start: seconds(start), end: seconds(start + 1) },
  ranks,
  words,
});

describe("notes", () => {
  it("read as they were written", () => {
    const notes = [note(1, "the slow node: 97 %; again at 3 s", [97, 98]), note(2, ""), note(3, "%3B @ ünï\n")];
    expect(readNotes(writeNotes(notes))).toEqual(notes);
    expect(writeNotes([note(2.5, "second try", [1, 2, 3])])).toBe("2.5..3.5@1-3:second try");
  });
  it("are none where there are none", () => {
    expect(writeNotes([])).toBeNull();
    expect(readNotes(null)).toEqual([]);
  });
  it("are left out where they are mangled", () => {
    expect(readNotes("x..y:a;3..2:b;1..2;;1..2:kept").map(({ words }) => words)).toEqual(["kept"]);
  });
  it("have a length that an address can hold", () => {
    expect(readNotes(writeNotes([note(1, "x".repeat(1000))]))[0]?.words.length).toBe(200);
    expect(readNotes(writeNotes(Array.from({ length: 99 }, (_, at) => note(at, "n")))).length).toBe(50);
  });
  it("stand in the order of time", () =>
    expect(withNote([note(1, "a"), note(5, "c")], note(3, "b")).map(({ words }) => words)).toEqual(["a", "b", "c"]));
});
