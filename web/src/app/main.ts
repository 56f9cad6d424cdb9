/** Start: find the data, then show the page, or say why not. */

import { mount, unmount } from "svelte";
import { SourceError } from "../base/errors";
import { text } from "../base/text";
import { Page } from "../widgets/page.svelte";
import App from "./App.svelte";
import "./style/base.css";
import "./style/parts.css";
import "./style/timeline.css";
import "./style/print.css";
import type { Opened } from "./open";
import { openFile, openSource, servedRuns } from "./open";
import { showPlainReport } from "./plain";
import { restoreSaved } from "./saved_page";
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
  showPlainReport(box);
}

/** Until anything is there: a large log takes a while to be read. */
function waiting(): Element {
  const line = document.createElement("p");
  line.className = "reading hint";
  line.setAttribute("role", "status");
  const begin = performance.now();
  const tell = (): void => {
    line.textContent = text.app.reading(Math.floor((performance.now() - begin) / 1000));
    if (line.isConnected) setTimeout(tell, 1000);
  };
  line.textContent = text.app.reading(0);
  setTimeout(tell, 1000);
  return line;
}

async function start(target: Element): Promise<void> {
  let shown: ReturnType<typeof mount> | null = null;
  const show = ({ source, description, report }: Opened, calls: Page["calls"]): void => {
    const page = new Page(source, description, report, VIEWS, calls, openFile, servedRuns(document, location));
    if (shown) void unmount(shown);
    target.replaceChildren();
    shown = mount(App, { target, props: { page } });
  };
  let isWhole = false;
  try {
    const { first, calls, whole } = openSource(document, location);
    if (first)
      show(first, { state: whole ? "opening" : "open" }); // findings at once: decoding millions of calls takes seconds
    else target.replaceChildren(waiting());
    // An error here occurs below, too, and is shown there.
    void calls?.then(
      (opened) => isWhole || show(opened, { state: "judging" }),
      () => undefined,
    );
    if (whole) {
      await whole.then(
        (opened) => {
          isWhole = true;
          show(opened, opened.failure === undefined ? { state: "open" } : { state: "failed", reason: opened.failure });
        },
        (reason: unknown) => {
          if (first === null) throw reason;
          show(first, { state: "failed", reason: reason instanceof Error ? reason.message : String(reason) });
        },
      );
    }
    document.documentElement.dataset.ready = "yes"; // for tests
  } catch (reason) {
    failed(target, reason);
  }
}

document.documentElement.dataset.started = "yes"; // else src/app/fallback.ts shows the report as text
const target = document.getElementById("app");
restoreSaved();
if (target) void start(target);
