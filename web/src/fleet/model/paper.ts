/** All pictures of a figure as one drawing, below each other, with their names and colours. */

import { visible } from "../../base/visible";
import type { Colours } from "../../model/chart";
import type { SvgNode } from "../../model/svg";
import { label, node } from "../../model/svg";
import type { Picture } from "./picture";

const LINE = 22;
const CHARACTER = 6.8;

export function paperOf(
  pictures: readonly Picture[],
  width: number,
  colours: Colours,
): { readonly nodes: SvgNode[]; readonly height: number } {
  const nodes: SvgNode[] = [];
  let y = 0;
  for (const picture of pictures) {
    if (picture.name !== "")
      nodes.push(
        label(visible(picture.name), { x: 10, y: y + 16, "font-size": 13, "font-weight": "600", fill: colours.ink }),
      );
    if (picture.name !== "") y += LINE;
    const drawn = picture.draw(width, colours);
    nodes.push(node("g", { transform: `translate(0 ${y})` }, drawn.nodes));
    y += drawn.height;
    let x = 10;
    for (const entry of picture.legend) {
      const name = visible(entry.name);
      const room = 34 + name.length * CHARACTER;
      if (x > 10 && x + room > width) {
        x = 10;
        y += LINE;
      }
      nodes.push(node("rect", { x, y: y + 5, width: 11, height: 11, fill: entry.colour }));
      nodes.push(label(name, { x: x + 17, y: y + 15, "font-size": 12, fill: colours.ink }));
      x += room;
    }
    if (picture.legend.length > 0) y += LINE + 6;
  }
  return { nodes, height: Math.ceil(y) };
}
