import { readdirSync, readFileSync } from "node:fs";
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

test("every view has a page of the guide, a row in its list, and a picture that is made of it", () => {
  const guide = readFileSync("../docs/guide/views/README.md", "utf8");
  const pictures = readFileSync("build/pictures.mjs", "utf8");
  const pages = readdirSync("../docs/guide/views");
  for (const [id, name] of Object.entries(text.views)) {
    expect(pages).toContain(`${id}.md`);
    expect(guide).toContain(`| [${name}](${id}.md) |`);
    expect(pictures).toContain(`["${id}", `);
  }
});
