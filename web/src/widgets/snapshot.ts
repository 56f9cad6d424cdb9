/** A part of the page as one drawing: canvases become images, drawings stay drawings, names stay text. */

import type { SvgNode } from "../model/svg";
import { label, node } from "../model/svg";

/** What the style sheet says of shapes, which a file does not have. */
const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "opacity",
  "font-size",
  "font-weight",
  "paint-order",
] as const;
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  "fill-opacity": ["1"],
  stroke: ["none"],
  "stroke-opacity": ["1"],
  "stroke-dasharray": ["none"],
  opacity: ["1"],
  "font-weight": ["400"],
  "paint-order": ["normal"],
};
const KEPT = [
  "x",
  "y",
  "x1",
  "x2",
  "y1",
  "y2",
  "width",
  "height",
  "rx",
  "d",
  "transform",
  "text-anchor",
  "vector-effect",
  "cx",
  "cy",
  "r",
];

function drawn(element: Element): SvgNode | null {
  if (element.tagName === "title") return null;
  const attributes: Record<string, string> = {};
  for (const name of KEPT) {
    const value = element.getAttribute(name);
    if (value !== null) attributes[name] = value;
  }
  const style = getComputedStyle(element);
  const isShape = element.tagName !== "g";
  if (isShape) {
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value !== "" && !DEFAULTS[name]?.includes(value) && (name !== "stroke-width" || style.stroke !== "none"))
        attributes[name] = value;
    }
  }
  if (element.tagName === "text") return label(element.textContent ?? "", attributes);
  return node(
    element.tagName,
    attributes,
    [...element.children].flatMap((child) => drawn(child) ?? []),
  );
}

/** Drawing that replaces a canvas in a file, where there is one. */
const drawings = new WeakMap<HTMLCanvasElement, () => SvgNode[]>();

/** From now on this canvas is saved as this drawing; the answer ends that. */
export function drawnAs(canvas: HTMLCanvasElement, make: () => SvgNode[]): () => void {
  drawings.set(canvas, make);
  return () => void drawings.delete(canvas);
}

export interface Snapshot {
  readonly nodes: readonly SvgNode[];
  readonly width: number;
  readonly height: number;
}

/** `names`: selector of the elements whose text belongs to the picture. */
export function snapshotOf(root: HTMLElement, names: string): Snapshot {
  const frame = root.getBoundingClientRect();
  const nodes: SvgNode[] = [];
  const place = (element: Element): { x: number; y: number; width: number; height: number } => {
    const box = element.getBoundingClientRect();
    return { x: box.left - frame.left, y: box.top - frame.top, width: box.width, height: box.height };
  };
  for (const element of root.querySelectorAll(`canvas, svg, ${names}`)) {
    const box = place(element);
    if (box.width === 0 || box.height === 0) continue;
    const drawing = element instanceof HTMLCanvasElement ? drawings.get(element) : undefined;
    if (drawing) nodes.push(node("svg", { ...box, viewBox: `0 0 ${box.width} ${box.height}` }, drawing()));
    else if (element instanceof HTMLCanvasElement)
      nodes.push(node("image", { ...box, href: element.toDataURL("image/png"), preserveAspectRatio: "none" }));
    else if (element instanceof SVGElement) {
      const children = [...element.children].flatMap((child) => drawn(child) ?? []);
      nodes.push(
        node(
          "svg",
          { ...box, viewBox: `0 0 ${box.width} ${box.height}`, color: getComputedStyle(element).color },
          children,
        ),
      );
    } else {
      const style = getComputedStyle(element);
      const size = Number.parseFloat(style.fontSize);
      const isRight = style.textAlign === "right";
      nodes.push(
        label(element.textContent?.trim() ?? "", {
          x: isRight ? box.x + box.width : box.x,
          y: box.y + size,
          fill: style.color,
          "font-size": size,
          ...(isRight ? { "text-anchor": "end" } : {}),
          ...(Number(style.fontWeight) > 500 ? { "font-weight": "600" } : {}),
        }),
      );
    }
  }
  return { nodes, width: Math.ceil(frame.width), height: Math.ceil(frame.height) };
}
