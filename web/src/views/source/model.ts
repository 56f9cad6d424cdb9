/** The lines of source files around a frame: files that the reader chose, read in the browser. */

export interface SourceFile {
  /** As the browser gives it: the name, or the path below the folder that was chosen. */
  readonly path: string;
  readonly text: string;
}

export interface SourceLine {
  readonly number: number;
  readonly text: string;
  /** The line of the frame. */
  readonly is_own: boolean;
}

/** `/a/b/main.c:12 write_all`: path and line; null: the frame has none. */
export function placeOf(frame: string): { readonly path: string; readonly line: number } | null {
  const found = /^(.+?):(\d+)(?: |$)/.exec(frame);
  return found ? { path: found[1] ?? "", line: Number(found[2]) } : null;
}

/** Names at the end of two paths that are the same. */
function sharedEnd(a: string, b: string): number {
  const [left, right] = [a.split("/").reverse(), b.split("/").reverse()];
  const first = left.findIndex((name, at) => name !== right[at]);
  return first < 0 ? left.length : first;
}

const AROUND = 3;

/** null: no chosen file has the name of the frame's file, or the file is shorter. */
export function linesOf(frame: string, files: readonly SourceFile[]): readonly SourceLine[] | null {
  const place = placeOf(frame);
  if (place === null) return null;
  const best = files
    .map((file) => ({ file, shared: sharedEnd(file.path, place.path) }))
    .sort((a, b) => b.shared - a.shared)[0];
  if (best === undefined || best.shared === 0) return null;
  const lines = best.file.text.split(/\r?\n/);
  if (place.line < 1 || place.line > lines.length) return null;
  const from = Math.max(1, place.line - AROUND);
  return lines
    .slice(from - 1, place.line + AROUND)
    .map((text, at) => ({ number: from + at, text, is_own: from + at === place.line }));
}
