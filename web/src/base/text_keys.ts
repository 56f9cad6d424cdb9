/** The keys of the page, as its list of keys names them. */

export const keysText = {
  heading: "Keys",
  close: "Close",
  list: [
    ["W / S", "zoom in and out around the middle"],
    ["A / D", "pan left and right"],
    ["arrows", "move the selected time by 10 %"],
    ["Shift W / S", "fewer or more ranks"],
    ["Shift A / D", "up and down through the ranks"],
    ["F", "zoom to the selection"],
    ["0", "whole run"],
    ["Backspace", "previous zoom"],
    ["Escape", "clear the selection"],
    ["G", "the selection, or the row of a table, in the timeline; there back again"],
    ["drag", "select time and ranks"],
    ["wheel", "zoom; horizontal wheel, or Shift and wheel, to pan; Alt and wheel zooms into ranks"],
    ["1 … 9", "go to a view"],
    ["N, Shift N", "next view, previous view"],
    ["/", "search"],
    ["M", "measure a span of time"],
    ["B", "mark the selected time with a note"],
    ["T", "light or dark"],
    ["?", "this list"],
  ] as readonly (readonly [string, string])[],
};
