/** Start of the page of a fleet. */

import { mount } from "svelte";
import "../app/style/base.css";
import "../app/style/parts.css";
import "../app/style/timeline.css";
import "../app/style/print.css";
import { text } from "../base/text_fleet";
import { openFleet } from "./data";
import Fleet from "./Fleet.svelte";
import "./fleet.css";
import { prepareSearch } from "./model/jobs";

async function start(target: Element): Promise<void> {
  try {
    const fleet = await openFleet(document);
    target.replaceChildren();
    mount(Fleet, { target, props: { fleet } });
    document.documentElement.dataset.ready = "yes"; // for tests
    setTimeout(() => prepareSearch(fleet.jobs), 200); // the first picture comes before
  } catch (reason) {
    const box = document.createElement("main");
    box.className = "failure";
    box.setAttribute("role", "alert");
    const heading = document.createElement("h1");
    heading.textContent = text.failed;
    const what = document.createElement("p");
    what.textContent = reason instanceof Error ? reason.message : String(reason);
    box.append(heading, what);
    target.replaceChildren(box);
  }
}

const target = document.getElementById("app");
// The data stand after the script.
if (target) addEventListener("DOMContentLoaded", () => void start(target), { once: true });
