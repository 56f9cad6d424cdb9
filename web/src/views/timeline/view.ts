import type { DeclaredView, GuidePicture } from "../../model/declared_view";

export const view: DeclaredView = {
  name: "Timeline",
  place: 20,
};

export const pictures: readonly GuidePicture[] = [
  { page: "openpmd", height: 960, options: "o.timeline.ruler=2.85..3.52&o.timeline.measure=1" },
  { page: "openpmd", height: 960, options: "o.timeline.group=cluster&o.timeline.folded=all", suffix: "groups" },
];
