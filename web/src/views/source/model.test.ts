/** Lines of source files around a frame. */

import { expect, it } from "vitest";
import { linesOf, placeOf } from "./model";

const text = Array.from({ length: 9 }, (_, at) => `line ${at + 1}`).join("\n");

it("a frame has a path and a line, or none", () => {
  expect(placeOf("/a/b/main.c:12 write_all")).toEqual({ path: "/a/b/main.c", line: 12 });
  expect(placeOf("sim.py:3")).toEqual({ path: "sim.py", line: 3 });
  expect(placeOf("a.out+0x12")).toBeNull();
});

it("the lines around are those of the file that shares most of the path", () => {
  const files = [
    { path: "other/io.c", text: "x\ny\nz" },
    { path: "project/src/io.c", text },
  ];
  expect(linesOf("/home/a/project/src/io.c:2 save", files)).toEqual([
    { number: 1, text: "line 1", is_own: false },
    { number: 2, text: "line 2", is_own: true },
    ...[3, 4, 5].map((number) => ({ number, text: `line ${number}`, is_own: false })),
  ]);
});

it("a file of another name or with fewer lines has none", () => {
  expect(linesOf("/a/io.c:2 save", [{ path: "oi.c", text }])).toBeNull();
  expect(linesOf("/a/io.c:10 save", [{ path: "io.c", text }])).toBeNull();
});
