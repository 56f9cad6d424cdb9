/** Canvases in pixels of the device, drawn on in pixels of the page. */

/** The canvas at this size in pixels of the page, empty; `null`: the browser gives none. */
export function cleared(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const context = canvas.getContext("2d");
  if (!context) return null;
  const dense = devicePixelRatio || 1;
  const [wide, high] = [Math.max(1, Math.round(width * dense)), Math.max(1, Math.round(height * dense))];
  // Another size makes a new picture, which costs more than clearing the old one.
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  context.setTransform(dense, 0, 0, dense, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
