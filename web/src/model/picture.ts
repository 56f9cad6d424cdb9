/**
 * A drawing as a file of its own: with its title, the names of its colours, and the font of the page, as `diya plot`
 * draws it.
 */

import type { Colours } from "./chart";
import type { SvgNode } from "./svg";
import { label, node, svgFile } from "./svg";

export interface PictureHead {
  readonly title: string;
  readonly legend: readonly { readonly name: string; readonly colour: string }[];
  /** The scale of colours that stand for numbers. */
  readonly ramp?: { readonly least: string; readonly most: string; readonly colours: readonly string[] } | null;
}

export interface PictureFile {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

const MARGIN = 12;
const TITLE_LINE = 20;
const KEY_LINE = 19;
/** Mean widths of a character, pixels: at the size of titles, and at that of names. */
const TITLE_CHARACTER = 7.6;
const NAME_CHARACTER = 6.3;

/** Words in lines of so many characters; a word that is longer is broken. */
export function wrapped(words: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(/(?<=[\s/_-])/).flatMap((one) => one.match(new RegExp(`.{1,${most}}`, "gu")) ?? [])) {
    const last = lines.at(-1);
    if (last === undefined || (last + word).trimEnd().length > most) lines.push(word);
    else lines[lines.length - 1] = last + word;
  }
  return lines.map((line) => line.trim());
}

/** Title, names of colours and their scale above a drawing; how high they are. */
function headNodes(
  { title, legend, ramp = null }: PictureHead,
  width: number,
  colours: Colours,
): { readonly nodes: SvgNode[]; readonly height: number } {
  const nodes: SvgNode[] = [];
  const ink = { fill: colours.ink, "font-size": 11 };
  let y = MARGIN + 6;
  for (const line of wrapped(title, Math.floor((width - 2 * MARGIN) / TITLE_CHARACTER))) {
    nodes.push(label(line, { ...ink, "font-size": 13, x: MARGIN, y }));
    y += TITLE_LINE;
  }
  let x = MARGIN;
  for (const { name, colour } of legend) {
    const wide = name.length * NAME_CHARACTER + 30;
    if (x > MARGIN && x + wide > width - MARGIN) [x, y] = [MARGIN, y + KEY_LINE];
    nodes.push(
      node("rect", { x, y: y - 9, width: 10, height: 10, fill: colour }),
      label(name, { ...ink, x: x + 15, y }),
    );
    x += wide;
  }
  if (legend.length > 0) y += KEY_LINE;
  if (ramp !== null) {
    const start = MARGIN + ramp.least.length * NAME_CHARACTER + 8;
    const end = start + ramp.colours.length * 5;
    nodes.push(label(ramp.least, { ...ink, x: MARGIN, y }), label(ramp.most, { ...ink, x: end + 8, y }));
    ramp.colours.forEach((fill, at) =>
      nodes.push(node("rect", { x: start + at * 5, y: y - 10, width: 5.5, height: 12, fill })),
    );
    y += KEY_LINE;
  }
  return { nodes, height: y - 8 };
}

/** `font`: the rule that brings the font, as text of a style sheet. */
export function pictureFile(
  drawing: readonly SvgNode[],
  width: number,
  height: number,
  head: PictureHead,
  colours: Colours,
  font: string,
): PictureFile {
  const above = headNodes(head, width, colours);
  const nodes = [...above.nodes, node("g", { transform: `translate(0 ${above.height})` }, drawing)];
  return {
    text: svgFile(nodes, width, height + above.height, colours.ground, head.title, font),
    width,
    height: height + above.height,
  };
}
