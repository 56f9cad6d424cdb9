/** Hands a file to the user: made in the page, no request leaves it. */

export function saveText(name: string, type: string, content: string): void {
  saveBlob(name, new Blob([content], { type: `${type};charset=utf-8` }));
}

export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The rule of the page's style sheet that brings its font: a picture that leaves the page takes it along. */
export function fontRule(): string {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  return rules.find((rule) => rule instanceof CSSFontFaceRule)?.cssText ?? "";
}

/** A file name out of a title. */
export const fileName = (title: string, ending: string): string =>
  `diya-${title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60)}.${ending}`;

/** The drawing as pixels, at twice its size: sharp on paper and on dense screens. */
export async function savePng(name: string, svg: string, width: number, height: number): Promise<void> {
  const image = new Image();
  const loaded = new Promise<void>((done, failed) => {
    image.onload = () => done();
    image.onerror = () => failed(new Error("the browser could not draw the picture"));
  });
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    await loaded;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width * 2, height * 2];
    canvas.getContext("2d")?.drawImage(image, 0, 0, width * 2, height * 2);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (blob) saveBlob(name, blob);
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
