/** The same page over a text timeline in memory: for browser tests of views, without a decoder. */

import { mount } from "svelte";
import App from "../../src/app/App.svelte";
import "../../src/app/style/base.css";
import "../../src/app/style/parts.css";
import "../../src/app/style/timeline.css";
import "../../src/app/style/print.css";
import { openFile } from "../../src/app/open";
import { VIEWS } from "../../src/app/views";
import { MemorySource } from "../memory/source";
import { parseStacks, parseTimeline, storeOf } from "../memory/timeline";
import { parseReport } from "../../src/data/parse_report";
import { Page } from "../../src/widgets/page.svelte";

async function start(target: Element): Promise<void> {
  const report = parseReport(JSON.parse(document.getElementById("diya-report")?.textContent ?? "{}"));
  const encoded = atob(document.getElementById("diya-pack")?.textContent ?? "");
  const calls = new TextDecoder().decode(Uint8Array.from(encoded, (character) => character.charCodeAt(0)));
  const layout = JSON.parse(document.getElementById("diya-wasm")?.textContent || "{}") as Record<
    string,
    [number, number]
  >;
  const source = new MemorySource(storeOf(parseTimeline(calls), layout, parseStacks(calls)), report);
  const page = new Page(source, await source.describe(), report, VIEWS, { state: "open" }, openFile);
  target.replaceChildren();
  mount(App, { target, props: { page } });
  document.documentElement.dataset.ready = "yes";
}

document.documentElement.dataset.started = "yes";
const target = document.getElementById("app");
if (target) addEventListener("DOMContentLoaded", () => void start(target)); // the calls stand after the script
