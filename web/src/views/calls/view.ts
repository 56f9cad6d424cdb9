import type { DeclaredView, GuidePicture } from "../../model/declared_view";

export const view: DeclaredView = {
  name: "Calls",
  place: 80,
};

export const pictures: readonly GuidePicture[] = [{ page: "openpmd", height: 640 }];
