/** Pictures that leave the page: title and names are inside, in the colours of paper. */

import { describe, expect, it } from "vitest";
import { KIND_HEX, onPaper, SERIES_HEX } from "../../src/base/colours";
import { pictureFile, wrapped } from "../../src/model/picture";

const colours = { ink: "#000", faint: "#eee", ground: "#fff" };

describe("a picture as a file", () => {
  it("breaks a long title and cuts no letter of it", () => {
    const title = "Offsets in /scratch/project_42/a_run_with_a_long_name/particles.h5";
    const lines = wrapped(title, 20);
    expect(lines.every((line) => line.length <= 20)).toBe(true);
    expect(lines.join("").replaceAll(" ", "")).toBe(title.replaceAll(" ", ""));
    expect(wrapped("x".repeat(50), 20)).toHaveLength(3);
  });
  it("holds title, names of colours, font and the drawing below them", () => {
    const file = pictureFile(
      [],
      300,
      200,
      { title: "Ranks", legend: [{ name: "read", colour: "#0072b2" }] },
      colours,
      "@font-face { font-family: Inter; }",
    );
    expect(file.height).toBeGreaterThan(230);
    for (const part of [
      "<style>@font-face",
      ">Ranks</text>",
      ">read</text>",
      'font-family="Inter, sans-serif"',
      "translate(0 ",
    ])
      expect(file.text).toContain(part);
  });
  it("has the colours of the light theme, whatever the page has", () => {
    expect(onPaper(KIND_HEX.dark.read)).toBe(KIND_HEX.light.read);
    expect(onPaper(SERIES_HEX.dark[1] ?? "")).toBe(SERIES_HEX.light[1]);
    expect(onPaper("#123456")).toBe("#123456");
  });
});
