import type { DeclaredView, GuidePicture } from "../../model/declared_view";

export const view: DeclaredView = {
  name: "Transfer",
  place: 60,
};

export const pictures: readonly GuidePicture[] = [{ page: "openpmd", height: 760 }];
