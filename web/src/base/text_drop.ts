/** English text of the page that opens dropped logs; the rest is in text.ts. */

import { formatBytes } from "./format";
import type { Bytes } from "./units";

export const dropText = {
  heading: "What did this job do with its I/O time?",
  lead: "Drop a log here: a Darshan log (.darshan), a .diya log, or an archive of them (.tar, .tar.gz, .zip).",
  choose: "Choose a log",
  another: "Open another log",
  isLocal:
    "The page reads the log on this machine. Nothing is uploaded: the security policy of the page blocks " +
    "connections to other hosts.",
  engine: (size: Bytes | null): string =>
    size === null ? "Loading the reader…" : `Loading the reader (${formatBytes(size)}, once)…`,
  reading: (name: string, size: Bytes): string => `Reading and analysing ${name} (${formatBytes(size)})…`,
  failed: (name: string): string => `${name} cannot be shown`,
  instead: "In a terminal, for logs of any size:",
  tooLarge: (size: Bytes, most: Bytes): string =>
    `This log has ${formatBytes(size)}; a browser can hold logs up to about ${formatBytes(most)}.`,
  noMemory: "The browser ran out of memory, or the reader failed.",
  littleMemory: "This machine has little memory: large logs will not fit into the browser.",
  noSimd:
    "This browser cannot run the reader: it lacks WebAssembly SIMD, which Firefox has since version 89, " +
    "Chrome and Edge since 91, Safari since 16.4.",
  noStreams:
    "This browser cannot unpack the reader: it lacks DecompressionStream, which Chrome and Edge have since " +
    "version 80, Safari since 16.4, Firefox since 113.",
  noEngine: (status: string): string =>
    `The reader could not be loaded (${status}). The page and its file engine.wasm.deflate must be in the ` +
    "same folder of a web server.",
  fromFile:
    "This page was opened from a file, and browsers do not let such a page read other files. Serve its " +
    "folder, for example with `python3 -m http.server`, or use the terminal.",
} as const;
