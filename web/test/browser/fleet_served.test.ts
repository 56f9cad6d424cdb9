/** The page of all jobs from a server: figures follow the filter, a row leads to its job, a folder fills. */

import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { encodeAnswer } from "../../src/data/wire";
import { HOSTILE, JOBS, packed } from "../fleet/fixture";
import { launch } from "./open";

const TEMPLATE = readFileSync(new URL("../../dist/fleet.html", import.meta.url), "utf8");
const QUESTION = {
  name: "who",
  number: 1,
  title: "Who uses the I/O time.",
  notes: [],
  picture: "bars x=program y=io_hours",
  params: [],
  sql: "select 1",
  error: null,
};

type Asked = {
  readonly method: string;
  readonly filter?: { readonly user: string };
  readonly text?: string;
  readonly known?: number;
};
type Answer = (asked: Asked) => object;

/** Serves the page; `answer` is what /fleet says. */
async function served(answer: Answer): Promise<{ server: Server; address: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      if (request.method !== "POST")
        return void response.setHeader("Content-Type", "text/html").end(TEMPLATE.replace(/@@DIYA_\w+@@/g, ""));
      const one = JSON.parse(body) as Asked;
      asked.push(one);
      response.end(new Uint8Array(encodeAnswer(answer(one))));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/?token=secret`, asked };
}

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

async function open(address: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(address);
  await page.waitForSelector("html[data-ready]");
  return { page, complaints };
}

const dataset: Answer = ({ method, filter, text }) => {
  if (text === "wrong") return { error: "no such table" };
  if (method === "head") {
    const totals = { jobs: JOBS.rows.length, users: 2, programs: 3, core_hours: 111, io_core_hours: 60 };
    return {
      head: { version: 1, title: HOSTILE, dataset: "/data", totals, files: [], questions: [QUESTION] },
      packed: packed({ jobs: JOBS }),
    };
  }
  return {
    head: null,
    packed: packed({
      answer: {
        columns: "program:name io_hours:core-hours",
        rows: [[filter?.user === "anna" ? "of anna" : "of all", 5]],
      },
    }),
  };
};

it("figures follow the filter, a row leads to its job, SQL has an answer or a reason", async () => {
  const { server, address, asked } = await served(dataset);
  const { page, complaints } = await open(address);
  const who = page.locator("[data-question=who]");
  await expect.poll(() => who.innerText()).toContain("of all");
  await page.getByLabel("User", { exact: true }).fill("anna");
  await expect.poll(() => who.innerText()).toContain("of anna");
  expect(asked.filter(({ method }) => method === "answer").length).toBe(2);
  expect(page.url()).toContain("token=secret");
  expect(await page.locator(".jobs .row a").first().getAttribute("href")).toBe(
    "/log?token=secret&path=%2Flogs%2Fanna_sim_1.darshan",
  );
  const sql = page.locator("#sql");
  await sql.getByRole("button", { name: "Run", exact: true }).click();
  await expect.poll(() => sql.innerText()).toContain("of anna");
  await sql.locator("textarea").fill("wrong");
  await sql.getByRole("button", { name: "Run", exact: true }).click();
  await expect.poll(() => sql.innerText()).toContain("no such table");
  expect(complaints).toEqual([]);
  await page.close();
  server.close();
});

it("a folder fills while its jobs are judged, and two of them are compared", async () => {
  let judged = 0;
  const folder: Answer = ({ known }) => {
    const head = {
      version: 1,
      kind: "folder",
      title: "logs",
      dataset: "/logs",
      totals: { jobs: 2 },
      judged,
      questions: [],
    };
    const rows = [0, 1].map((at) => [
      at,
      `/logs/${at}.darshan`,
      `${at}.darshan`,
      2048,
      judged > at ? "findings" : null,
      judged > at ? "Small writes" : null,
    ]);
    if (known !== undefined && known >= judged) return { head, packed: packed({}) };
    return { head, packed: packed({ jobs: { columns: "number path name size_bytes verdict first_finding", rows } }) };
  };
  const { server, address } = await served(folder);
  const { page, complaints } = await open(address);
  expect(await page.locator(".sentence").innerText()).toContain("Running the checks on 2 jobs");
  judged = 2;
  await expect.poll(() => page.locator(".jobs").innerText(), { timeout: 10_000 }).toContain("Small writes");
  expect(await page.locator(".jobs .row a").first().getAttribute("href")).toBe("/r/0/?token=secret");
  await page.getByText("Compare with another job").click();
  expect(await page.locator(".jobs .row a").getAttribute("href")).toBe("/r/0/?token=secret#compare?o.compare.with=1");
  expect(await page.locator("[data-question]").count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.close();
  server.close();
});
