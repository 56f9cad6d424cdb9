/** English text of the frame of the page: first steps, menus, the way to the timeline and back. */

export const pageText = {
  callouts: {
    heading: "First steps",
    list: [
      ["Drag", "in a picture to select time and ranks. All views then show only these calls."],
      ["W and S", "zoom the timeline, A and D move it. The wheel zooms at the pointer."],
      ["Show me", "opens the timeline exactly at the evidence of a finding."],
    ] as readonly (readonly [string, string])[],
    close: "Got it",
  },
  menu: { more: "Menu", display: "Display" },
  chart: {
    keys: (title: string) => `${title}: arrow keys go from mark to mark, Enter selects`,
    map: (title: string) => `${title}: arrow keys move over the picture, Enter selects`,
    open: (view: string) => `Click to open ${view}`,
    idle: "no call here",
  },
  line: { none: "None of the longest calls was made from this line; calls in a page are a sample." },
  /** Why a view is grey, before the reason. */
  empty: "Empty",
  show: {
    timeline: "Show in timeline", row: "Show this row in the timeline (G)", back: (view: string) => `Back to ${view}`,
  },
} as const;
