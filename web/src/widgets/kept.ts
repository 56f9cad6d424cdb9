/**
 * Small texts that this browser keeps. Where it refuses (private windows, policies), nothing is kept and nothing is
 * said.
 */

const PREFIX = "diya.";

/** null: nothing is kept, or the browser refuses. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // The page works without; next time the text is not there.
  }
}
