/**
 * Bookmarks with a note: places of the timeline, in the address and in saved pages.
 *
 * `2.85..3.52@97-100:the slow node;4..5:second try` as the option `timeline.notes`.
 */

import { readRanges, writeRanges } from "./ranges";
import { readWindow, writeWindow } from "./route";
import type { TimeWindow } from "./time_axis";

export interface Note {
  readonly time: TimeWindow;
  /** null: all ranks. */
  readonly ranks: readonly number[] | null;
  /** What the reader wrote; empty: a bookmark only. */
  readonly words: string;
}

/** Browsers and mail programs cut longer addresses. */
const MAX_NOTES = 50;
const MAX_WORDS = 200;

const escaped = (words: string): string =>
  words.slice(0, MAX_WORDS).replace(/[%;]/g, (sign) => (sign === "%" ? "%25" : "%3B"));
const unescaped = (words: string): string => words.replaceAll("%3B", ";").replaceAll("%25", "%");

/** null: no notes, so the address has none. */
export function writeNotes(notes: readonly Note[]): string | null {
  if (notes.length === 0) return null;
  const one = ({ time, ranks, words }: Note): string =>
    `${writeWindow(time)}${ranks === null ? "" : `@${writeRanges(ranks)}`}:${escaped(words)}`;
  return notes.slice(0, MAX_NOTES).map(one).join(";");
}

/** Reads what can be read; a mangled note is left out. */
export function readNotes(text: string | null): Note[] {
  return (text ?? "")
    .split(";")
    .slice(0, MAX_NOTES)
    .flatMap((entry) => {
      const [, window, ranks, words = ""] = /^([^@:]*)(?:@([^:]*))?:(.*)$/s.exec(entry) ?? [];
      const time = readWindow(window);
      return time === null
        ? []
        : [
            {
              time,
              ranks: ranks === undefined ? null : readRanges(ranks),
              words: unescaped(words).slice(0, MAX_WORDS),
            },
          ];
    });
}

/** With one more, in order of time. */
export const withNote = (notes: readonly Note[], note: Note): Note[] =>
  [...notes, note].sort((a, b) => a.time.start - b.time.start || a.time.end - b.time.end);
