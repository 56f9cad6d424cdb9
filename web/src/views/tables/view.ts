import type { DeclaredView, GuidePicture } from "../../model/declared_view";

export const view: DeclaredView = {
  name: "Tables",
  place: 110,
};

export const pictures: readonly GuidePicture[] = [
  { page: "openpmd", height: 420, options: "o.tables.name=phase_straggler" },
];
