/** A call in a few lines, for the box beside the pointer; the panel of a call says more. */

import { formatBytes, formatSeconds, formatRatio } from "../base/format";
import { KINDS } from "../base/kinds";
import { layerName, text } from "../base/text";
import { shortPath, visible } from "../base/visible";
import type { CallDetail, Description } from "../data/interface";
import { kindName } from "./kind_filter";

const PATH_LETTERS = 60;

/** Which share of the processes of a group is in which kind of call, as its summary draws it. */
export function shareLines(shares: readonly number[], description: Description): string[] {
  const names = [...KINDS.map((kind) => kindName(kind, description)), text.timeline.inLibrary];
  const lines = shares.flatMap((share, at) => (share > 0 ? [`${formatRatio(share)} ${names[at] ?? ""}`] : []));
  return lines.length > 0 ? [lines.join(", ")] : [text.timeline.noneHere];
}

export function callLines(detail: CallDetail, description: Description): string[] {
  const { calls } = detail;
  const named = description.functions[calls.function[0] ?? -1] ?? description.ops[calls.op[0] ?? 0] ?? "";
  const layer = layerName(description.layers[calls.layer[0] ?? 0] ?? "");
  const took = formatSeconds((calls.end_s[0] ?? 0) - (calls.start_s[0] ?? 0));
  const size = calls.size_bytes[0] ?? Number.NaN;
  const moved = Number.isNaN(size) ? "" : `, ${formatBytes(size)}`;
  const path = description.files[calls.file[0] ?? -1]?.path ?? null;
  const together = (calls.calls[0] ?? 1) > 1 ? [text.timeline.together(calls.calls[0] ?? 1)] : [];
  return [
    `${visible(named)} (${layer}): ${took}${moved}`,
    ...together,
    ...(path === null ? [] : [shortPath(path, PATH_LETTERS)]),
  ];
}
