/** Who may import whom, and a ratchet on shortcuts. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.test)\.(ts|svelte)$/.test(entry.name)) // a test may use what it likes
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

/** `type`: only types may be taken from there. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  base: [],
  data: ["base"],
  model: ["base", "type data"],
  widgets: ["base", "model", "type data"],
  views: ["base", "model", "widgets", "type data"],
  fleet: ["base", "data", "model", "widgets"],
  app: ["base", "data", "model", "widgets", "views"],
};

it("imports follow the layers", () => {
  const wrong: string[] = [];
  for (const file of files) {
    const layer = file.split("/")[0] ?? "";
    const text = readFileSync(join(root, file), "utf8");
    for (const [, isType, from] of text.matchAll(/import\s+(type\s)?[^"']*?from\s+"(\.[^"]+)"/g)) {
      const target = join(file, "..", from ?? "");
      const other = target.split("/")[0] ?? "";
      const isOwnView = layer === "views" && other === "views" && target.split("/")[1] === file.split("/")[1];
      if (other === layer && (layer !== "views" || isOwnView)) continue;
      const allowed = ALLOWED[layer] ?? [];
      if (allowed.includes(other) || (isType && allowed.includes(`type ${other}`)) || allowed.includes(target))
        continue;
      wrong.push(`${file} uses ${target}`);
    }
  }
  expect(wrong).toEqual([]);
});

it("no shortcuts creep in", () => {
  const count = (pattern: RegExp): number =>
    files.reduce((sum, file) => sum + [...readFileSync(join(root, file), "utf8").matchAll(pattern)].length, 0);
  expect(count(/:\s*any\b|as any\b|<any>/g)).toBe(0);
  expect(count(/export default/g)).toBe(0);
  expect(count(/innerHTML|\{@html|\beval\(|new Function/g)).toBe(0);
  expect(count(/@ts-(ignore|expect-error)/g)).toBe(0);
});
