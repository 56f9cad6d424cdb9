/** Which columns of a table stand beside each other. */

import { describe, expect, it } from "vitest";
import { exactText } from "../../src/base/format";
import { unbroken } from "../../src/base/visible";
import type { Column } from "../../src/model/table";
import { chosenOutOfSight, columnWidths, fittingColumns, headingWidth, knownColumns } from "../../src/model/table";

const column = (name: string, importance = 1): Column => ({ name, label: name, unit: "", doc: "", importance });
const columns = [column("path"), column("opens", 2), column("time", 0), column("read"), column("written")];
const ten = columns.map(() => 10);
const all = columns.map((_, at) => at);
const names = (room: number, always: number | null = null): string[] =>
  fittingColumns(columns, all, ten, room, always).map((at) => columns[at]?.name ?? "");

describe("the columns that have room", () => {
  it("are all of them where they fit exactly", () => expect(names(50)).toHaveLength(5));
  it("leave out the least important first, and keep their order", () => {
    expect(names(49)).toEqual(["path", "time", "read", "written"]);
    expect(names(30)).toEqual(["path", "time", "read"]);
  });
  it("keep what a row is, and what it is sorted by, whatever the room", () =>
    expect(names(0, 1)).toEqual(["path", "opens"]));
  it("let a narrower one have the room that is left", () => {
    expect(fittingColumns([column("a"), column("b"), column("c")], [0, 1, 2], [10, 20, 5], 16, null)).toEqual([0, 2]);
  });
  it("are not those of which nothing is known", () =>
    expect(
      knownColumns(
        [column("a"), column("b")],
        [
          [1, null],
          [2, null],
        ],
      ),
    ).toEqual([0]));
});

describe("headings", () => {
  it("take two lines, as even as their words allow", () =>
    expect(["slowest longest bytes", "time", "read"].map(headingWidth)).toEqual([13, 4, 4]));
  it("make a column no wider than its cells need", () =>
    expect(columnWidths([column("expected phases")], [["12"]])).toEqual([10]));
});

describe("numbers", () => {
  it("that are rounded have all digits under the pointer", () => {
    expect(exactText(4905, "bytes")).toBe("4,905\u202fB");
    expect(exactText(0.0123456, "s")).toBe("0.0123456\u202fs");
    expect(exactText(17, "calls")).toBeNull();
  });
  it("stay on one line with their unit, in sentences of the report, too", () => {
    expect(unbroken("I/O took 310 us of the 15 ms run (2.1 %), at 1.37 GiB/s; 3 s")).toBe(
      "I/O took 310\u202fµs of the 15\u202fms run (2.1\u202f%), at 1.37\u202fGiB/s; 3\u202fs",
    );
    expect(unbroken("2 shared files, 4 msgs, 5 user")).toBe("2 shared files, 4 msgs, 5 user");
  });
});

it("a row that was chosen elsewhere is brought into sight, unless one is there", () => {
  const at = (chosen: readonly number[], scroll: number) =>
    chosenOutOfSight([4, 3, 2, 1, 0], new Set(chosen), scroll, 80, 26);
  expect([at([1], 0), at([3], 0), at([4, 1], 78), at([4, 3], 0), at([], 0), at([9], 0)]).toEqual([
    78,
    null,
    null,
    null,
    null,
    null,
  ]);
});
