/**
 * The little Markdown that checks use, as plain objects.
 *
 * Nothing becomes HTML text: widgets make elements of these objects, so a
 * check of a facility cannot bring a script or a link into the page.
 */

export type Inline =
  | { readonly kind: "text" | "code" | "strong" | "emphasis"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly address: string };

export type Block =
  | { readonly kind: "paragraph"; readonly inlines: readonly Inline[] }
  | { readonly kind: "heading"; readonly inlines: readonly Inline[] }
  | { readonly kind: "list"; readonly is_ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string };

const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|(?<![\w*])[*_]([^*_\s][^*_]*)[*_](?!\w)|\[([^\]]+)\]\(([^)\s]+)\)|<(https?:\/\/[^>\s]+)>/g;

/** Only addresses that cannot run: a link is text otherwise. */
const isSafe = (address: string): boolean => /^https?:\/\//i.test(address);

export function inlinesOf(text: string): Inline[] {
  const inlines: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) inlines.push({ kind: "text", text: text.slice(end, match.index) });
    const [, code, strong, emphasis, name, address, bare] = match;
    if (code !== undefined) inlines.push({ kind: "code", text: code });
    else if (strong !== undefined) inlines.push({ kind: "strong", text: strong });
    else if (emphasis !== undefined) inlines.push({ kind: "emphasis", text: emphasis });
    else if (bare !== undefined) inlines.push({ kind: "link", text: bare, address: bare });
    else if (isSafe(address ?? "")) inlines.push({ kind: "link", text: name ?? "", address: address ?? "" });
    else inlines.push({ kind: "text", text: name ?? "" });
    end = match.index + match[0].length;
  }
  if (end < text.length) inlines.push({ kind: "text", text: text.slice(end) });
  return inlines;
}

/** Code between backticks, and all else as text. */
export function codeSpansOf(text: string): Inline[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, at): Inline => ({ kind: at % 2 === 1 ? "code" : "text", text: part }))
    .filter((part) => part.text !== "");
}

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  let items: string[] = [];
  let isOrdered = false;
  const endParagraph = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", inlines: inlinesOf(paragraph.join(" ")) });
    if (items.length > 0) blocks.push({ kind: "list", is_ordered: isOrdered, items: items.map(inlinesOf) });
    [paragraph, items] = [[], []];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const fence = /^\s*```\s*([\w+#-]*)/.exec(line);
    const item = /^\s*(?:([-*+])|(\d+)[.)])\s+(.*)$/.exec(line);
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    if (fence) {
      endParagraph();
      const code: string[] = [];
      for (at += 1; at < lines.length && !/^\s*```/.test(lines[at] ?? ""); at += 1) code.push(lines[at] ?? "");
      blocks.push({ kind: "code", language: fence[1] ?? "", text: code.join("\n") });
    } else if (heading) {
      endParagraph();
      blocks.push({ kind: "heading", inlines: inlinesOf(heading[1] ?? "") });
    } else if (item) {
      if (paragraph.length > 0) endParagraph();
      isOrdered = item[2] !== undefined;
      items.push(item[3] ?? "");
    } else if (line.trim() === "") {
      endParagraph();
    } else if (items.length > 0) {
      items[items.length - 1] += ` ${line.trim()}`;
    } else {
      paragraph.push(line.trim());
    }
  }
  endParagraph();
  return blocks;
}
