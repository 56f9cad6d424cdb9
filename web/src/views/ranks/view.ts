import type { DeclaredView, GuidePicture } from "../../model/declared_view";

export const view: DeclaredView = {
  name: "Ranks",
  place: 40,
};

export const pictures: readonly GuidePicture[] = [{ page: "openpmd", height: 820 }];
