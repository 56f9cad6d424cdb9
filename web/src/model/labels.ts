/** Names beside marks, as many as fit without lying over each other. */

export interface Labelled {
  /** Ends of the mark, and the middle of it from top to bottom; pixels. */
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly text: string;
}

export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "end";
  readonly text: string;
}

const CHARACTER = 6.2;
const LINE = 13;
const GAP = 4;

/** The first come first: right of the mark, else left of it, else not at all. */
export function placedLabels(marks: readonly Labelled[], width: number): Placed[] {
  const taken: { from: number; to: number; y: number }[] = marks.map((mark) => ({
    from: mark.left,
    to: mark.right,
    y: mark.y,
  }));
  const placed: Placed[] = [];
  for (const [at, mark] of marks.entries()) {
    const length = mark.text.length * CHARACTER;
    const places = [
      { from: mark.right + GAP, to: mark.right + GAP + length, anchor: "start" as const },
      { from: mark.left - GAP - length, to: mark.left - GAP, anchor: "end" as const },
    ];
    const free = places.find(
      ({ from, to }) =>
        from >= 0 &&
        to <= width &&
        taken.every(
          (other, index) => index === at || Math.abs(other.y - mark.y) >= LINE || from >= other.to || to <= other.from,
        ),
    );
    if (free === undefined) continue;
    taken.push({ from: free.from, to: free.to, y: mark.y });
    placed.push({ x: free.anchor === "start" ? free.from : free.to, y: mark.y, anchor: free.anchor, text: mark.text });
  }
  return placed;
}
