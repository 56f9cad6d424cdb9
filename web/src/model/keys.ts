/** Keys to actions. Letters are places on the keyboard (codes): WASD is a square on every layout. */

export type KeyAction =
  | "zoom_in"
  | "zoom_out"
  | "left"
  | "right"
  | "fewer_tracks"
  | "more_tracks"
  | "up"
  | "down"
  | "selection_left"
  | "selection_right"
  | "fit_selection"
  | "fit_all"
  | "back"
  | "clear"
  | "timeline"
  | "search"
  | "theme"
  | "help"
  | "ruler"
  | "note"
  | "next_view"
  | "previous_view"
  | { readonly view: number };

export interface KeyPress {
  readonly code: string;
  readonly key: string;
  readonly shift: boolean;
  /** Control, Alt or Meta: such keys belong to the browser. */
  readonly is_modified: boolean;
  /** The focus is where people type. */
  readonly is_typing: boolean;
}

const BY_CODE: Readonly<Record<string, readonly [KeyAction, KeyAction | null]>> = {
  KeyW: ["zoom_in", "fewer_tracks"],
  KeyS: ["zoom_out", "more_tracks"],
  KeyA: ["left", "up"],
  KeyD: ["right", "down"],
  KeyF: ["fit_selection", null],
  KeyG: ["timeline", null],
  KeyT: ["theme", null],
  KeyM: ["ruler", null],
  KeyB: ["note", null],
  KeyN: ["next_view", "previous_view"],
  ArrowLeft: ["selection_left", null],
  ArrowRight: ["selection_right", null],
  Digit0: ["fit_all", null],
  Backspace: ["back", null],
};

export function keyAction({ code, key, shift, is_modified, is_typing }: KeyPress): KeyAction | null {
  if (is_modified) return null;
  if (is_typing) return null;
  if (key === "?") return "help";
  if (key === "/") return "search";
  if (key === "Escape") return "clear";
  if (!shift && /^Digit[1-9]$/.test(code)) return { view: Number(code.slice(5)) - 1 };
  const pair = BY_CODE[code];
  if (pair === undefined) return null;
  return shift ? pair[1] : pair[0];
}
