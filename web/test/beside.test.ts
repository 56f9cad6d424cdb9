/** docs/guide/beside-other-pages.md: nothing is missing in the page of diya that two of the other pages have. */

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const lines = readFileSync(new URL("../../docs/guide/beside-other-pages.md", import.meta.url), "utf8").split("\n");
const rows = lines
  .filter((line) => line.startsWith("| "))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter((cells) => cells.length === 8 && cells[1] !== "diya");

it("has no row in which diya lacks what two others have", () => {
  expect(rows.length).toBeGreaterThan(50);
  const lacking = rows.filter(
    ([, own = "", ...others]) => own.startsWith("no") && others.filter((cell) => cell.startsWith("yes")).length >= 2,
  );
  expect(lacking.map(([wanted]) => wanted)).toEqual([]);
});

it("says yes, partly, no or - in every cell, and what diya has in part only is below the tables", () => {
  for (const [wanted, ...cells] of rows)
    for (const cell of cells) expect(cell, wanted).toMatch(/^(yes|partly|no|-)(: .+)?$/);
  const short = lines.slice(lines.indexOf("## Where diya falls short")).join("\n").toLowerCase();
  const partly = rows
    .filter(([, own = ""]) => own.startsWith("partly"))
    .map(([wanted = ""]) => wanted.split(" ")[0] ?? "");
  expect(partly.filter((word) => !short.includes(word))).toEqual([]);
});
