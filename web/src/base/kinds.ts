/** The four classes of calls that have a colour of their own. */

/** What a call does, in four classes; the page has one colour for each. */
export type Kind = "read" | "write" | "metadata" | "wait";

/**
 * The kinds in the order of their codes on the wire.
 *
 * By `call.op`: read and write are themselves; sync, datasync, sync_map, flush,
 * wait and lock are `wait`; everything else is `metadata`.
 */
export const KINDS: readonly Kind[] = ["read", "write", "metadata", "wait"];

const OF_OP: Readonly<Record<string, Kind>> = {
  read: "read",
  write: "write",
  sync: "wait",
  datasync: "wait",
  sync_map: "wait",
  flush: "wait",
  wait: "wait",
  lock: "wait",
};

/** Class of an operation of `call.op`. */
export const kindOfOp = (op: string): Kind => OF_OP[op] ?? "metadata";
