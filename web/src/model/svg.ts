/** Drawings as a tree of plain objects: shown by a widget, written to a file, read by tests. */

export interface SvgNode {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly SvgNode[];
  readonly text: string | null;
}

export function node(tag: string, attributes: SvgNode["attributes"] = {}, children: readonly SvgNode[] = []): SvgNode {
  return { tag, attributes, children, text: null };
}

export function label(text: string, attributes: SvgNode["attributes"]): SvgNode {
  return { tag: "text", attributes, children: [], text };
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Also drops what XML cannot hold at all: control characters and halves of pairs. */
export function escapeXml(text: string): string {
  const allowed = text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
  return allowed.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** Tenths of a pixel: files stay small, and smaller differences are not visible. */
const written = (value: string | number): string =>
  typeof value === "number" ? String(Math.round(value * 10) / 10) : escapeXml(value);

export function svgText({ tag, attributes, children, text }: SvgNode): string {
  const pairs = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${written(value)}"`)
    .join("");
  const inner = text === null ? children.map(svgText).join("") : escapeXml(text);
  return inner === "" ? `<${tag}${pairs}/>` : `<${tag}${pairs}>${inner}</${tag}>`;
}

/** A file of its own, with the ground behind it. `font`: the rule that brings the font. */
export function svgFile(
  nodes: readonly SvgNode[],
  width: number,
  height: number,
  ground: string,
  title: string,
  font = "",
): string {
  const root = node(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      "font-family": "Inter, sans-serif",
      "font-size": 12,
    },
    [
      { tag: "title", attributes: {}, children: [], text: title },
      { tag: "style", attributes: {}, children: [], text: font },
      node("rect", { width, height, fill: ground }),
      ...nodes,
    ],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${svgText(root)}\n`;
}
