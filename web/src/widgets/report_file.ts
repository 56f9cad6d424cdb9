/** A report out of a file that the user chose: JSON, or a page like this one. */

import { parseReport } from "../data/parse_report";
import type { Report } from "../data/report";

/**
 * A page is only read for its data: it is parsed without being run.
 *
 * @throws SourceError or SyntaxError when the file holds no report.
 */
export function reportOfFile(content: string): Report {
  if (content.trimStart().startsWith("{")) return parseReport(JSON.parse(content));
  const page = new DOMParser().parseFromString(content, "text/html"); // scripts of such a document never run
  return parseReport(JSON.parse(page.getElementById("diya-report")?.textContent ?? ""));
}
