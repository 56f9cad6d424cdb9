/** Where the I/O time of the run went, by layer: the rows of the time account, so that no number differs. */

import type { Theme } from "../base/colours";
import { KIND_HEX } from "../base/colours";
import { formatSeconds } from "../base/format";
import { layerName, text } from "../base/text";
import type { Report } from "../data/report";
import type { Chart } from "./chart";
import { axis } from "./chart";
import { accountRows } from "./time_account";

/** Classes of the account in the order of the bars; those that no kind of call has a colour for are hatched. */
const CLASSES = ["read", "write", "metadata", "sync", "lock", "map", "text", "wait", "library"] as const;

const COLOURS: Readonly<Record<(typeof CLASSES)[number], keyof (typeof KIND_HEX)["light"]>> = {
  read: "read", write: "write", metadata: "metadata", sync: "write", lock: "metadata", map: "read", text: "wait", wait: "wait", library: "wait",
};

const PLAIN: ReadonlySet<string> = new Set(["read", "write", "wait"]);

export function timeShareChart(report: Report, theme: Theme): Chart | null {
  const rows = accountRows(report);
  const layers = [...new Set(rows.map((row) => row.layer))];
  if (layers.length === 0) return null;
  const of = (layer: string, name: string): number =>
    rows.filter((row) => row.layer === layer && row.class === name).reduce((sum, row) => sum + row.time_s, 0);
  const classes = CLASSES.filter((name) => layers.some((layer) => of(layer, name) > 0));
  const word = (name: string): string => text.diagnosis.account[name] ?? name;
  const parts = layers.map((layer) => {
    const times = classes.filter((name) => of(layer, name) > 0).map((name) => `${word(name)} ${formatSeconds(of(layer, name))}`);
    return `${layerName(layer)}: ${times.join(", ")}`;
  });
  return {
    title: text.diagnosis.whereTimeWent,
    summary: text.diagnosis.whereTimeWentSummary(parts.join("; ")),
    x: axis("layer; without the time of the layers below it", "", { names: layers.map(layerName) }),
    y: axis("time on the critical path", "s"),
    series: classes.map((name) => ({
      name: word(name), colour: KIND_HEX[theme][COLOURS[name]], shape: "bar", is_hatched: !PLAIN.has(name),
      x: layers.map((_, at) => at), y: layers.map((layer) => of(layer, name)),
    })),
    is_stacked: true,
  };
}
