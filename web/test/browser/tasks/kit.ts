/** What a task of a reader is, and what many of them do. */

import type { Page } from "playwright";
import { expect } from "vitest";

/** One thing that a reader does with pointer or keys, in words and as a script. */
export interface Action {
  readonly does: string;
  readonly act: (page: Page) => Promise<unknown>;
  /** What is there afterwards. */
  readonly sees?: (page: Page) => Promise<unknown>;
}

export interface Task {
  /** Completes "A reader wants to ...". */
  readonly wants: string;
  /** The view that is open; the first page if there is none. */
  readonly from?: string;
  /** None: the first page answers. */
  readonly actions: readonly Action[];
  /** What answers in the end. */
  readonly sees?: (page: Page) => Promise<unknown>;
}

/** No task may need more actions than these. */
export const BUDGET = 2;

export const plain = (text: string): string => text.replaceAll("\u202f", " ");

/** Waits until the view says it. */
export const says =
  (words: RegExp) =>
  (page: Page): Promise<void> =>
    expect.poll(async () => plain(await page.locator("main").innerText()), { timeout: 8000 }).toMatch(words);

export const isAt =
  (view: string) =>
  (page: Page): Promise<unknown> =>
    page.waitForSelector(`main[data-view=${view}]`);

/** Numbers of an option of the address that holds a span. */
export const span = (page: Page, name: string): number[] =>
  (new RegExp(`${name}=([\\d.]+)\\.\\.([\\d.]+)`).exec(decodeURIComponent(page.url())) ?? []).slice(1).map(Number);

export const open = (name: string, sees?: Action["sees"]): Action => ({
  does: `open **${name}**`,
  act: (page) => page.getByRole("navigation").getByRole("button", { name, exact: true }).click(),
  ...(sees && { sees }),
});

export const toTimeline = (what: string, words: string): Action => ({
  does: `**Timeline →** in the row of ${what}`,
  act: async (page) => {
    const row = page.locator(".table .row", { hasText: words }).first();
    await row.hover();
    await row.getByRole("button", { name: /in the timeline/ }).click();
  },
});
