/**
 * docs/guide/page-tasks.md lists the tasks that `test/browser/tasks.test.ts` does.
 * `TASKS=write npm test` writes it.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Task } from "./browser/tasks/kit";
import { BUDGET } from "./browser/tasks/kit";
import { MORE } from "./browser/tasks/more";
import { REVIEW } from "./browser/tasks/review";

const place = new URL("../../docs/guide/page-tasks.md", import.meta.url);

function rows(tasks: readonly Task[], first: number): string {
  const words = ({ actions }: Task): string =>
    actions.length === 0 ? "none: the first page answers" : actions.map(({ does }) => does).join(", then ");
  const start = ({ from }: Task): string =>
    from === undefined ? "" : `in **${from[0]?.toUpperCase()}${from.slice(1)}**: `;
  return tasks.map((task, at) => `| ${first + at} | ${task.wants} | ${start(task)}${words(task)} |`).join("\n");
}

const HEAD = "|  | a reader wants to | actions |\n|---|---|---|";
const page = `# Tasks of a reader of the page

${REVIEW.length + MORE.length} tasks, each done in at most ${BUDGET} actions. An action is a click, a choice, or a line
that is typed. Each task is a script that runs in Chromium, checks the answer, and fails on an error in the console
(\`web/test/browser/tasks\`). This page is made from these scripts: \`TASKS=write npm test\` in \`web\`.

## Tasks of the review

${HEAD}
${rows(REVIEW, 1)}

## From what is found to the calls, and back

${HEAD}
${rows(MORE, REVIEW.length + 1)}
`;

it("docs/guide/page-tasks.md lists the tasks that are tested", () => {
  expect([REVIEW.length, MORE.length]).toEqual([12, 10]);
  if (process.env.TASKS === "write") writeFileSync(place, page);
  expect(readFileSync(place, "utf8")).toBe(page);
});
