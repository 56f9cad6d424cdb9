/** The report of this file as text, below what is there. */

import { parseReport } from "../data/parse_report";
import { plainReport } from "../model/plain_report";

/** A report that is missing or damaged adds nothing: what is there already says so. */
export function showPlainReport(target: Element): void {
  try {
    const box = document.createElement("pre");
    box.className = "plain";
    box.textContent = plainReport(parseReport(JSON.parse(document.getElementById("diya-report")?.textContent ?? "")));
    target.appendChild(box);
  } catch {
    return;
  }
}
