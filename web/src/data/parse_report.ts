/** From untrusted JSON to a `Report`: types are checked here, once, and nowhere else. */

import { parseReport as parseJson } from "./generated/report";
import { SourceError } from "./interface";
import type { PackedTables } from "./packed_tables";
import { unpackedTables } from "./packed_tables";
import type { Report } from "./report";

/** Version of the layout that this page reads. */
export const REPORT_VERSION = 1;

/**
 * @throws SourceError when it is no report, or one of a later layout.
 */
export function parseReport(value: unknown): Report {
  const from = (typeof value === "object" && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  const version = from.schema_version;
  if (typeof version !== "number") throw new SourceError("This file is not a report of diya.");
  if (version > REPORT_VERSION) {
    throw new SourceError(
      `The report has layout ${version}, this page reads ${REPORT_VERSION}. Make both with one version of diya.`,
    );
  }
  const report = parseJson(value);
  if (from.packed === undefined) return report;
  const packed = unpackedTables(from.packed as PackedTables); // made and checked by the wire format
  return { ...report, metrics: { ...report.metrics, ...packed } };
}
