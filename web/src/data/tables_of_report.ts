/** A source whose metric tables are those of the report in the page. */

import type { Description, LogSource } from "./interface";
import type { Report } from "./report";
import { metricRows } from "./report_tables";

export function withReportTables(source: LogSource, report: Report): LogSource {
  const metrics: Description["tables"] = Object.entries(report.metrics).map(([name, table]) => ({
    name,
    title: table.title,
    kind: "metric",
    rows: table.rows_in_all,
  }));
  return new Proxy(source, {
    get(target, name) {
      if (name === "describe") {
        return async (): Promise<Description> => {
          const description = await target.describe();
          const others = description.tables.filter((table) => report.metrics[table.name] === undefined);
          return { ...description, tables: [...metrics, ...others] };
        };
      }
      if (name === "table") {
        return (...args: Parameters<LogSource["table"]>) =>
          report.metrics[args[0].name] === undefined
            ? target.table(...args)
            : Promise.resolve(metricRows(report, args[0]));
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? (member as (...args: unknown[]) => unknown).bind(target) : member;
    },
  });
}
