/** Start of the page that opens dropped logs: first a place to drop, then the page of the log. */

import { mount, unmount } from "svelte";
import { SourceError } from "../../base/errors";
import { dropText } from "../../base/text_drop";
import { lacks } from "../../data/engine";
import { Page } from "../../widgets/page.svelte";
import App from "../App.svelte";
import type { Opened } from "../open";
import { openFile } from "../open";
import "../style/base.css";
import "../style/parts.css";
import "../style/timeline.css";
import "../style/print.css";
import { VIEWS } from "../views";
import Drop from "./Drop.svelte";
import { LogOpener } from "./open_log";

/** GiB below which a machine has little memory; only some browsers report it. */
const LITTLE_MEMORY_GIB = 4;

function memoryWarning(): string | null {
  const { deviceMemory } = navigator as Navigator & { readonly deviceMemory?: number };
  return deviceMemory !== undefined && deviceMemory < LITTLE_MEMORY_GIB ? dropText.littleMemory : null;
}

/** The page: what it shows, and what a dropped file does. */
class DropPage {
  #shown: ReturnType<typeof mount> | null = null;
  #turn = 0;

  constructor(
    private readonly target: HTMLElement,
    private readonly opener: LogOpener,
  ) {}

  #replace(make: () => ReturnType<typeof mount>): void {
    if (this.#shown) void unmount(this.#shown);
    this.target.replaceChildren();
    this.#shown = make();
  }

  /** The place to drop, with what is being done or what went wrong. */
  wait(state: string | null, failure: { readonly name: string; readonly reason: string } | null): void {
    this.target.removeAttribute("data-log");
    const props = {
      state,
      failure,
      warning: lacks() ?? memoryWarning(),
      onlog: (file: File) => void this.open(file),
      onnear: () => void this.opener.prepare().catch(() => undefined), // an error is shown when a log comes
    };
    this.#replace(() => mount(Drop, { target: this.target, props }));
  }

  #show({ source, description, report }: Opened, name: string): void {
    const again = document.createElement("button");
    again.type = "button";
    again.className = "quiet another";
    again.textContent = dropText.another;
    again.onclick = () => this.wait(null, null);
    const page = new Page(source, description, report, VIEWS, { state: "open" }, openFile);
    document.title = `${name} · diya`;
    this.#replace(() => mount(App, { target: this.target, props: { page } }));
    this.target.prepend(again);
    this.target.dataset.log = name;
  }

  /** The latest file wins. */
  async open(file: File): Promise<void> {
    const turn = (this.#turn += 1);
    try {
      const opened = await this.opener.open(file, (what) => {
        if (turn === this.#turn) this.wait(what, null);
      });
      if (turn === this.#turn) this.#show(opened, file.name);
    } catch (error) {
      if (turn !== this.#turn) return;
      const reason = error instanceof SourceError || error instanceof Error ? error.message : String(error);
      this.wait(null, { name: file.name, reason });
    }
  }
}

function start(target: HTMLElement): void {
  const { engine: url = "", integrity = "" } = target.dataset;
  const opener = new LogOpener({ url: new URL(url, location.href).href, integrity });
  // Until a log is open, and its page follows and remembers the choice.
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const page = new DropPage(target, opener);
  page.wait(null, null);
  addEventListener("dragenter", () => void opener.prepare().catch(() => undefined));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault(); // the browser would leave the page for the file
    const file = event.dataTransfer?.files[0];
    if (file) void page.open(file);
  });
  document.documentElement.dataset.ready = "yes"; // for tests
}

const target = document.getElementById("app");
if (target) start(target);
