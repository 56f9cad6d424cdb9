/** Out of the file, the head at once and the tables after inflating; or from the server that the page came from. */

import { text } from "../base/text_fleet";
import { fromBase64, inflate } from "../data/deflated";
import { HttpTransport } from "../data/http";
import type { PackedTables } from "../data/packed_tables";
import { unpackedTables } from "../data/packed_tables";
import type { MetricTable } from "../data/report";
import { decodeAnswer } from "../data/wire";
import type { Head } from "./model/head";
import { parseHead } from "./model/head";
import type { Jobs } from "./model/jobs";
import { jobsOf } from "./model/jobs";
import { FleetServer } from "./server";

export interface Fleet {
  readonly head: Head;
  readonly jobs: Jobs;
  /** Answers by `answerName`; a server is asked for them. */
  readonly tables: Readonly<Record<string, MetricTable>>;
  /** null: all of it is in the file. */
  readonly server: FleetServer | null;
  /** Jobs that are judged. */
  readonly judged: number;
}

/** @throws Error with what to do. */
export async function openFleet(page: Document): Promise<Fleet> {
  const content = (id: string): string => page.getElementById(id)?.textContent?.trim() ?? "";
  const written = content("diya-report");
  if (written === "") {
    const token = new URLSearchParams(location.search).get("token") ?? "";
    const server = new FleetServer(new HttpTransport("/fleet", token), token);
    return { ...(await server.open()), tables: {}, server };
  }
  let packed: PackedTables;
  let json: unknown;
  try {
    json = JSON.parse(written);
    packed = decodeAnswer(await inflate(fromBase64(content("diya-tables")))) as PackedTables;
  } catch {
    throw new Error(text.damaged);
  }
  page.getElementById("diya-tables")?.remove(); // megabytes of text that are not read again
  return { head: parseHead(json), jobs: jobsOf(packed), tables: unpackedTables(packed), server: null, judged: 0 };
}
