/** No serious violation of accessibility rules (axe-core), in every view, both themes, three widths. */

import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DECLARED } from "../../src/app/declared";
import { LAYOUT, report, stacked } from "./fixture";
import { launch, memoryPage, openPage } from "./open";

const VIEWS = DECLARED.map(({ id }) => id);
const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

/** The debugger's way in: the policy of the page lets no other script run. */
async function violations(page: Page): Promise<string[]> {
  const found = await page.evaluate(async () => {
    const { axe: checker } = window as unknown as {
      axe: { run: (context: Document, options: object) => Promise<{ violations: Violation[] }> };
    };
    return (await checker.run(document, { resultTypes: ["violations"] })).violations;
  });
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(
          ({ target, failureSummary }) =>
            `${id}: ${target.join(" ")} ${failureSummary.replaceAll(/\s+/g, " ").slice(0, 200)}`,
        ),
    );
}

it.each([
  ["light", 1440],
  ["light", 1000],
  ["light", 800],
  ["dark", 1440],
  ["dark", 1000],
  ["dark", 800],
] as const)("%s theme, %i px", async (theme, width) => {
  const { page } = await openPage(browser, memoryPage(`axe-${theme}-${width}`, report(), stacked(), LAYOUT), theme, {
    width,
    height: 900,
  });
  await page.evaluate(axe);
  const found: string[] = [];
  for (const view of VIEWS) {
    await page.evaluate(
      (name) =>
        (location.hash = `#${name}${name === "files" || name === "timeline" ? "?ranks=5&o.timeline.pins=5" : ""}`),
      view,
    );
    await page.waitForSelector(`main[data-view=${view}]`);
    await page.waitForTimeout(450);
    found.push(...(await violations(page)).map((one) => `${view} ${one}`));
  }
  expect(found).toEqual([]);
  await page.close();
});
