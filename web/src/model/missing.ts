/** Views that have nothing to show for a log, and why. */

import { text } from "../base/text";
import type { Description } from "../data/interface";
import type { Report } from "../data/report";

const hasRows = (report: Report, ...names: readonly string[]): boolean =>
  names.some((name) => (report.metrics[name]?.rows.length ?? 0) > 0);

/** `hasStacks`: null while it is not known. The answer null: the view has something to show. */
export function missingData(
  view: string,
  description: Description,
  report: Report,
  hasStacks: boolean | null = null,
): string | null {
  const hasCalls = description.holding.kind !== "none";
  switch (view) {
    case "targets":
      return description.targets.length > 0 ||
        description.files.some((file) => file.stripe_count !== null || file.stripe_bytes !== null) ||
        hasRows(report, "target_load", "server_sample", "server_activity")
        ? null
        : text.missing.targets;
    case "source":
      return !hasCalls ? text.missing.source : hasStacks === false ? text.missing.stacks : null;
    case "phases":
      return hasCalls || hasRows(report, "phase", "heatmap_phase") ? null : text.missing.phases;
    default:
      return null;
  }
}
