/** A copy of this page as one file that opens as it is seen now: view, selection and notes. */

import { fileName, saveBlob } from "../widgets/save";
import { text } from "../base/text";

const STATE = "diya-state";
const SAVED = `meta[name=${STATE}]`;

/**
 * Data that left the document when they were decoded. A blob needs no memory of the page:
 * browsers keep it apart, on disk where it is large.
 */
const taken = new Map<string, Blob>();

/** Takes the text of a data element out of the document, and keeps it for a saved copy. */
export function takeOut(page: Document, id: string): void {
  const element = page.getElementById(id);
  if (element === null) return;
  if (page === document) taken.set(id, new Blob([element.textContent ?? ""]));
  element.remove();
}

/** A page from a server has no data in itself. */
export const canSavePage = (): boolean =>
  (document.getElementById("diya-report")?.textContent ?? "@@").trim().replace(/^@@.*/s, "") !== "";

/** `hash`: the address after `#`, with it. */
export function savePage(hash: string): void {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  for (const name of [...copy.getAttributeNames()]) if (name.startsWith("data-")) copy.removeAttribute(name);
  const waiting = document.createElement("p");
  waiting.className = "failure";
  waiting.textContent = text.app.reading(0);
  copy.querySelector("#app")?.replaceChildren(waiting);
  copy.querySelector(SAVED)?.remove();
  const state = document.createElement("meta"); // in the head: it is read before the data are there
  state.name = STATE;
  state.content = hash;
  copy.querySelector("head")?.append(state);
  const body = copy.querySelector("body");
  const parts: (string | Blob)[] = [];
  const marks = [...taken].map(([id, blob], at) => ({
    id,
    blob,
    mark: `@@DIYA_TAKEN_${at}_${crypto.getRandomValues(new Uint32Array(3)).join("_")}@@`,
  }));
  for (const { id, mark } of marks) {
    const element = document.createElement("script");
    element.type = "text/plain";
    element.id = id;
    element.textContent = mark;
    body?.append(element);
  }
  let rest = `<!doctype html>\n${copy.outerHTML}`; // text behind it would move into the body, and the file grow
  for (const { blob, mark } of marks) {
    const [before = "", after = ""] = rest.split(mark);
    parts.push(before, blob);
    rest = after;
  }
  parts.push(rest);
  saveBlob(fileName(document.title, "html"), new Blob(parts, { type: "text/html;charset=utf-8" }));
}

/** What a saved page showed, unless its address says something else. */
export function restoreSaved(): void {
  const hash = document.querySelector<HTMLMetaElement>(SAVED)?.content ?? "";
  if (hash.startsWith("#") && location.hash.length <= 1) history.replaceState(null, "", hash);
}
