import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DECLARED } from "../src/app/declared";
import type { GuidePicture } from "../src/model/declared_view";

const PICTURES = import.meta.glob<readonly GuidePicture[]>("../src/views/*/view.ts", {
  eager: true,
  import: "pictures",
});
const GUIDE = "../docs/guide/views";
const table = readFileSync(`${GUIDE}/README.md`, "utf8");

it("every folder of src/views declares a view, each with a place of its own", () => {
  expect(DECLARED.map(({ id }) => id).sort()).toEqual(readdirSync("src/views").sort());
  expect(new Set(DECLARED.map(({ place }) => place)).size).toBe(DECLARED.length);
});

it("the guide lists the views in the order of the tabs", () => {
  const listed = [...table.matchAll(/^\| \[(.+)\]\((.+)\.md\) \|/gm)].map(([, name, id]) => ({ id, name }));
  expect(listed).toEqual(DECLARED.map(({ id, name }) => ({ id, name })));
});

describe.each(DECLARED)("the view $name", ({ id, name }) => {
  it("has its component", () =>
    expect(readdirSync(`src/views/${id}`)).toContain(`${id[0]?.toUpperCase()}${id.slice(1)}.svelte`));
  it("has a page of the guide, which has its name", () =>
    expect(readFileSync(`${GUIDE}/${id}.md`, "utf8").split("\n")[0]).toBe(`# ${name}`));
  it("is in a picture of the guide, which has its name", () =>
    expect(PICTURES[`../src/views/${id}/view.ts`]?.some(({ suffix }) => suffix === undefined)).toBe(true));
});
