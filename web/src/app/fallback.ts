/**
 * Runs where the page did not: a browser that is too old for its script still gets the report as text.
 *
 * Built for browsers of 2015 (vite.fallback.config.ts). The page marks its own start.
 */

import { plainText } from "../base/text_plain";
import { showPlainReport } from "./plain";

document.addEventListener("DOMContentLoaded", () => {
  const target = document.getElementById("app");
  if (document.documentElement.getAttribute("data-started") !== null || target === null) return;
  const why = document.createElement("p");
  why.textContent = plainText.why;
  target.textContent = "";
  target.appendChild(why);
  showPlainReport(target);
});
