/** Other runs of a served folder, without a server: what is asked of which address. */

import { afterEach, expect, it, vi } from "vitest";
import { servedRuns } from "../../src/app/open";

afterEach(() => vi.unstubAllGlobals());

/** An answer in the wire format that has a head alone. */
function answer(head: object): Response {
  const words = new TextEncoder().encode(JSON.stringify(head));
  const bytes = new Uint8Array(8 + Math.ceil(words.length / 8) * 8);
  bytes.set(new TextEncoder().encode("DYA1"));
  new DataView(bytes.buffer).setUint32(4, words.length, true);
  bytes.set(words, 8);
  return new Response(bytes);
}

const at = (path: string): Location => new URL(`http://127.0.0.1:1${path}`) as unknown as Location;
const page = (content: string): Document =>
  ({ getElementById: () => ({ textContent: content }) }) as unknown as Document;

it("they are listed without the run of the page itself", async () => {
  const jobs = [0, 1, 2].map((number) => ({ number, name: `log ${number}`, verdict: null }));
  const fetch = vi.fn(async () => answer({ jobs }));
  vi.stubGlobal("fetch", fetch);
  const served = servedRuns(page(""), at("/r/1/?token=secret"));
  expect((await served?.list())?.map((run) => run.number)).toEqual([0, 2]);
  expect(fetch).toHaveBeenCalledWith(
    "/api",
    expect.objectContaining({
      body: '{"method":"jobs"}',
      headers: expect.objectContaining({ "X-Diya-Token": "secret" }),
    }),
  );
});

it("one is opened by its own address, and what the server says against it is told", async () => {
  const fetch = vi.fn(async () => answer({ error: "it cannot be read" }));
  vi.stubGlobal("fetch", fetch);
  await expect(servedRuns(page(""), at("/r/1/?token=secret"))?.open(2)).rejects.toThrow("it cannot be read");
  expect(fetch).toHaveBeenCalledWith("/r/2/api", expect.anything());
});

it("a page that is a file has none", () => {
  expect(servedRuns(page("{}"), at("/r/1/"))).toBeNull();
  expect(servedRuns(page(""), at("/report.html"))).toBeNull();
});
