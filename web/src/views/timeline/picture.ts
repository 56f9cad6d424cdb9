/** The lanes as a picture that is saved: on white, as papers want it. */

import { tick } from "svelte";
import { GROUND_HEX } from "../../base/colours";
import { text } from "../../base/text";
import { svgFile } from "../../model/svg";
import type { Page } from "../../widgets/page.svelte";
import { fileName, fontRule, savePng, saveText } from "../../widgets/save";
import { snapshotOf } from "../../widgets/snapshot";

const WORDS = ".strip .name strong, .strip .name span, .gutter button, .peak, .hint.ruler-words";

/** The page turns light for the moment of the picture. */
export async function saveLanes(page: Page, lanes: HTMLElement, kind: "svg" | "png"): Promise<void> {
  const before = page.themeChoice;
  page.choose("light");
  await tick();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const { nodes, width, height } = snapshotOf(lanes, WORDS);
  page.choose(before);
  const { heading } = text.timeline;
  const file = svgFile(nodes, width, height, GROUND_HEX.light, heading, fontRule());
  if (kind === "svg") saveText(fileName(heading, "svg"), "image/svg+xml", file);
  else await savePng(fileName(heading, "png"), file, width, height);
}
