import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { text } from "../src/base/text";

test("every folder of a view has its name in text.views, and every name its folder", () => {
  const folders = readdirSync("src/views");
  expect(Object.keys(text.views).sort()).toEqual(folders.sort());
  for (const id of folders) {
    const component = `${id[0]?.toUpperCase()}${id.slice(1)}.svelte`;
    expect(readdirSync(`src/views/${id}`)).toContain(component);
  }
});
