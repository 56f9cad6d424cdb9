import { describe, expect, it } from "vitest";
import {
  formatAbout,
  formatByUnit,
  formatBytes,
  formatCount,
  formatPart,
  formatRanges,
  formatRatio,
  formatSaving,
  formatSeconds,
  withoutZeros,
} from "../../src/base/format";
import { shortPath, visible } from "../../src/base/visible";
import { csvText } from "../../src/model/csv";
import { blocksOf, codeSpansOf, inlinesOf } from "../../src/model/markdown";
import { escapeXml, label, svgText } from "../../src/model/svg";

const plain = (text: string): string => text.replaceAll("\u202f", " ");

describe("quantities", () => {
  it.each([
    [0, "0 B"],
    [544, "544 B"],
    [1023, "1,023 B"],
    [1024, "1.00 KiB"],
    [1536, "1.50 KiB"],
    [5318441364, "4.95 GiB"],
  ])("%d bytes", (value, words) => expect(plain(formatBytes(value))).toBe(words));
  it.each([
    [0, "0 s"],
    [3e-9, "3 ns"],
    [0.00042, "420 µs"],
    [0.67, "670 ms"],
    [3.585, "3.58 s"],
    [599, "599 s"],
    [7265, "2 h 01 min 05 s"],
  ])("%d seconds", (value, words) => expect(plain(formatSeconds(value))).toBe(words));
  it("what was not measured is not zero", () =>
    expect([formatBytes(null), formatSeconds(null), formatRatio(null), formatCount(Number.NaN)]).toEqual(
      Array(4).fill("not recorded"),
    ));
  it("a small share is not nothing", () =>
    expect([plain(formatRatio(0.0004)), plain(formatRatio(0))]).toEqual(["< 0.1 %", "0 %"]));
  it("a saving is one number with its range, the unit once", () =>
    expect(plain(formatSaving({ saved_s: 8, lost_low_s: 6, lost_high_s: 9 }) ?? "")).toBe("about 8 s (6 to 9)"));
  it("a range can begin at zero", () =>
    expect(plain(formatSaving({ saved_s: 0.3, lost_low_s: 0, lost_high_s: 0.367 }) ?? "")).toBe(
      "about 0.3 s (0 to 0.37)",
    ));
  it.each([
    [0, "0 s"],
    [12.34, "12 s"],
    [0.0123, "12 ms"],
    [0.2779, "0.28 s"],
    [7200, "120 min"],
    [4.2e-5, "42 µs"],
  ])("a summary of %d seconds has two digits, as in the report", (value, words) =>
    expect(plain(formatAbout(value))).toBe(words),
  );
  it.each([
    [3.864, 4.06, "3.86 s"],
    [0.2, 4.06, "0.20 s"],
    [0.031, 0.0732, "31.0 ms"],
    [0.442, 0.811, "0.442 s"],
    [395, 781, "6 min 35 s"],
    [1.4, 781, "1.4 s"],
    [0.034, 100, "34 ms"],
    [0, 100, "0 s"],
  ])("%d s of %d s have the digits of the whole, as in the report", (part, whole, words) =>
    expect(plain(formatPart(part, whole))).toBe(words),
  );
  it.each([
    [0.0312, "3.1 %"],
    [0.43, "43 %"],
    [1, "100 %"],
  ])("a share of %d, as in the report", (share, words) => expect(plain(formatRatio(share))).toBe(words));
  it("round numbers are short on axes", () =>
    expect(["1.00 MiB", "68.0 MiB", "1.50 s", "100 s", "2 h 01 min"].map(withoutZeros)).toEqual([
      "1 MiB",
      "68 MiB",
      "1.5 s",
      "100 s",
      "2 h 01 min",
    ]));
  it("ids are not grouped", () => expect(formatByUnit(45195555, "id")).toBe("45195555"));
  it("ranks read as people write them", () => expect(formatRanges([0, 3, 4, 5, 9, 10])).toBe("0, 3–5, 9, 10"));
});

describe("hostile text", () => {
  it("shows control characters", () => expect(visible("a\u001b[31mb\u0000")).toBe("a␛[31mb␀"));
  it("shows what turns text around", () => expect(visible("exe\u202egpj.h5")).toBe("exe⟨U+202E⟩gpj.h5"));
  it("shows what hides", () => expect(visible("a\u200bb\ufeff")).toBe("a⟨U+200B⟩b⟨U+FEFF⟩"));
  it("survives half characters", () => expect(visible("a\ud800b")).toBe("a\ufffdb"));
  it("leaves markup as text", () =>
    expect(visible("<img src=x onerror=alert(1)>")).toBe("<img src=x onerror=alert(1)>"));
  it("keeps the end of a path", () =>
    expect(shortPath(`/${"deep/".repeat(50)}plot.h5`, 30)).toMatch(/^….*\/plot\.h5$/));
  it("cannot leave an SVG file", () =>
    expect(svgText(label("</text><script>&\u0000", { x: 1 }))).toBe(
      '<text x="1">&lt;/text&gt;&lt;script&gt;&amp;\ufffd</text>',
    ));
  it("cannot leave an attribute", () => expect(escapeXml('" onload="x')).toBe("&quot; onload=&quot;x"));
  it("is no formula in a spreadsheet", () =>
    expect(csvText(["path"], [["=cmd|' /C calc'!A0"], ['a,"b"']])).toBe(
      'path\r\n\'=cmd|\' /C calc\'!A0\r\n"a,""b"""\r\n',
    ));
});

describe("Markdown", () => {
  it("knows what checks use", () => {
    expect(
      blocksOf("Use `MPI_File_write_all`.\n\n- one\n  more\n- two\n\n```c\nint x;\n```").map((block) => block.kind),
    ).toEqual(["paragraph", "list", "code"]);
  });
  it("joins the lines of an item", () =>
    expect(blocksOf("- one\n  more")).toEqual([
      { kind: "list", is_ordered: false, items: [[{ kind: "text", text: "one more" }]] },
    ]));
  it("makes no link that runs", () =>
    expect(inlinesOf("[x](javascript:alert(1))")[0]).toMatchObject({ kind: "text", text: "x" }));
  it("keeps names with underscores whole", () =>
    expect(inlinesOf("romio_cb_write and romio_ds_write")).toEqual([
      { kind: "text", text: "romio_cb_write and romio_ds_write" },
    ]));
  it("makes no element of HTML", () =>
    expect(inlinesOf("<script>alert(1)</script>")).toEqual([{ kind: "text", text: "<script>alert(1)</script>" }]));
});

describe("a sentence of a finding", () => {
  it("has code, and no other marks", () => {
    expect(codeSpansOf("use `H5Dwrite` for /a/*_1*.h5")).toEqual([
      { kind: "text", text: "use " },
      { kind: "code", text: "H5Dwrite" },
      { kind: "text", text: " for /a/*_1*.h5" },
    ]);
    expect(codeSpansOf("one ` alone")).toEqual([{ kind: "text", text: "one ` alone" }]);
  });
});
