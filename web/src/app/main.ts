/** Start: find the data, then show the page, or say why not. */

import { mount } from "svelte";
import { SourceError } from "../base/errors";
import { text } from "../base/text";
import { Page } from "../widgets/page.svelte";
import App from "./App.svelte";
import "./style/base.css";
import "./style/parts.css";
import "./style/print.css";
import { openSource } from "./open";
import { VIEWS } from "./views";

function failed(target: Element, reason: unknown): void {
  const heading = document.createElement("h1");
  heading.textContent = text.app.failed;
  const what = document.createElement("p");
  what.textContent = reason instanceof SourceError || reason instanceof Error ? reason.message : String(reason);
  const wayOut = document.createElement("p");
  wayOut.textContent = text.app.reload;
  const box = document.createElement("main");
  box.className = "failure";
  box.setAttribute("role", "alert");
  box.append(heading, what, wayOut);
  target.replaceChildren(box);
}

async function start(target: Element): Promise<void> {
  try {
    const { source, description, report } = await openSource(document, location);
    const page = new Page(source, description, report, VIEWS[0]?.id ?? "");
    target.replaceChildren();
    mount(App, { target, props: { page } });
    document.documentElement.dataset.ready = "yes"; // for tests: the first paint follows
  } catch (reason) {
    failed(target, reason);
  }
}

const target = document.getElementById("app");
if (target) void start(target);
