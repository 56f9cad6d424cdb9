/** SQL in the page: completion, the place of an error, history, charts. */

import { describe, expect, it } from "vitest";
import type { TableRows } from "../../src/data/interface";
import { queryChart, suitedShape } from "../../src/model/sql_chart";
import { completionsAt, errorPlace, readHistory, schemaOf, withStatement } from "../../src/model/sql_words";

const schema = schemaOf([
  ["file_op", "layer", "Utf8"],
  ["file_op", "bytes", "Int64"],
  ["rank_io", "rank", "Int32"],
  ["rank_io", "io_s", "Float64"],
]);
const at = (statement: string, isAsked = false): string[] => {
  const caret = statement.indexOf("|");
  return completionsAt(statement.replace("|", ""), caret, schema, isAsked).list.map((one) => one.text);
};

describe("completion", () => {
  it("offers tables after FROM", () => expect(at("select * from f|")).toEqual(["file_op"]));
  it("offers columns of the tables that are named, also before they are", () =>
    expect(at("select by| from file_op")).toEqual(["bytes"]));
  it("knows the names that tables are given", () => expect(at("select r.| from rank_io r")).toEqual(["rank", "io_s"]));
  it("offers keywords", () => expect(at("select layer from file_op gr|")).toEqual(["group by"]));
  it("does not disturb where nothing is typed, unless it is asked", () => {
    expect(at("select |")).toEqual([]);
    expect(at("select | from rank_io", true).slice(0, 2)).toEqual(["rank", "io_s"]);
  });
  it("replaces the word before the caret", () => expect(completionsAt("select by", 9, schema, false).from).toBe(7));
});

describe("an error", () => {
  const statement = "select layr\nform file_op";
  it("is where the parser says", () =>
    expect(errorPlace(statement, "Expected: end, found: form at Line: 2, Column: 1")).toEqual({ from: 12, to: 16 }));
  it("is at the name that it quotes", () =>
    expect(errorPlace(statement, 'there is no column "layr"; near it: layer')).toEqual({ from: 7, to: 11 }));
  it("is at the end where more is expected", () =>
    expect(errorPlace("select", "Expected: an expression, found: EOF")).toEqual({ from: 5, to: 6 }));
  it("is nowhere where nothing says so", () => expect(errorPlace(statement, "the query took too long")).toBeNull());
});

describe("the history", () => {
  it("has each statement once, the latest first", () => expect(withStatement(["a", "b"], "b")).toEqual(["b", "a"]));
  it("survives what a browser kept", () =>
    expect([readHistory(null), readHistory("{"), readHistory('[1, "a"]')]).toEqual([[], [], ["a"]]));
});

describe("a chart of rows", () => {
  const rows = (columns: string, ...cells: (string | number)[][]): TableRows => ({
    columns: columns.split(" ").map((name) => ({ name, type: "", unit: "", doc: "" })),
    rows: cells,
    rows_in_all: cells.length,
  });
  it("has bars for names", () => {
    const made = rows("layer time_s", ["posix", 2], ["mpiio", 1]);
    expect(suitedShape(made)).toBe("bar");
    const chart = queryChart(made, "bar", "t", String, "light");
    expect([chart?.x.names, chart?.y.unit, chart?.series[0]?.y]).toEqual([["posix", "mpiio"], "s", [2, 1]]);
  });
  it("has a line for numbers, in their order", () => {
    const made = rows("start_s bytes", [3, 30], [1, 10], [2, 20]);
    expect(suitedShape(made)).toBe("line");
    expect(queryChart(made, "line", "t", String, "light")?.series[0]).toMatchObject({ x: [1, 2, 3], y: [10, 20, 30] });
  });
  it("draws one unit on one axis", () =>
    expect(
      queryChart(
        rows("rank io_s bytes wait_s", [0, 1, 9, 2], [1, 1, 9, 2], [2, 1, 9, 2]),
        "line",
        "t",
        String,
        "light",
      )?.series.map(({ name }) => name),
    ).toEqual(["io", "wait"]));
  it("is not offered for text alone", () => expect(suitedShape(rows("layer", ["posix"]))).toBeNull());
});
