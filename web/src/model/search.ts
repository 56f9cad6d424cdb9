/** One search for what people remember: a rank, a node, a part of a path. */

import type { Track } from "../base/units";
import { fileIndex, track } from "../base/units";
import type { FileIndex } from "../base/units";
import type { Description } from "../data/interface";

export type Hit =
  | { readonly kind: "rank"; readonly label: string; readonly track: Track }
  | { readonly kind: "node"; readonly label: string; readonly ranks: readonly number[] }
  | { readonly kind: "file"; readonly label: string; readonly file: FileIndex };

/** At most `most` of each kind; whole matches first. */
export function searchHits(description: Description, words: string, most = 8): Hit[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [];
  const hits: Hit[] = [];
  const number = /^(?:rank\s*)?(\d+)$/.exec(wanted)?.[1];
  if (number !== undefined) {
    description.tracks.rank.forEach((rank, at) => {
      if (rank === Number(number) && hits.length < most) hits.push({ kind: "rank", label: `rank ${rank}`, track: track(at) });
    });
  }
  const hosts = description.hosts.flatMap((host, at) => (host.toLowerCase().includes(wanted) ? [{ host, at }] : [])).slice(0, most);
  for (const { host, at } of hosts) {
    const ranks = [...description.tracks.rank].filter((_, index) => description.tracks.host[index] === at);
    hits.push({ kind: "node", label: host, ranks });
  }
  let files = 0;
  for (let at = 0; at < description.files.length && files < most; at += 1) {
    const path = description.files[at]?.path ?? null;
    if (path === null || !path.toLowerCase().includes(wanted)) continue;
    hits.push({ kind: "file", label: path, file: fileIndex(at) });
    files += 1;
  }
  return hits;
}
