import type { DeclaredView, GuidePicture } from "../../model/declared_view";

export const view: DeclaredView = {
  name: "Files",
  place: 30,
};

export const pictures: readonly GuidePicture[] = [{ page: "openpmd", height: 760 }];
