/** Out of the file: the head at once, the tables after inflating. */

import { text } from "../base/text_fleet";
import { fromBase64, inflate } from "../data/deflated";
import type { PackedTables } from "../data/packed_tables";
import { unpackedTables } from "../data/packed_tables";
import type { MetricTable } from "../data/report";
import { decodeAnswer } from "../data/wire";
import type { Head } from "./model/head";
import { parseHead } from "./model/head";
import type { Jobs } from "./model/jobs";
import { jobsOf } from "./model/jobs";

export interface Fleet {
  readonly head: Head;
  readonly jobs: Jobs;
  /** Answers by `answerName`. */
  readonly tables: Readonly<Record<string, MetricTable>>;
}

/** @throws Error with what to do. */
export async function openFleet(page: Document): Promise<Fleet> {
  const content = (id: string): string => page.getElementById(id)?.textContent?.trim() ?? "";
  let packed: PackedTables;
  let json: unknown;
  try {
    json = JSON.parse(content("diya-report"));
    packed = decodeAnswer(await inflate(fromBase64(content("diya-tables")))) as PackedTables;
  } catch {
    throw new Error(text.damaged);
  }
  page.getElementById("diya-tables")?.remove(); // megabytes of text that are not read again
  return { head: parseHead(json), jobs: jobsOf(packed), tables: unpackedTables(packed) };
}
