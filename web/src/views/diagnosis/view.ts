import type { DeclaredView, GuidePicture } from "../../model/declared_view";

export const view: DeclaredView = {
  name: "Diagnosis",
  place: 10,
};

export const pictures: readonly GuidePicture[] = [{ page: "openpmd", height: 860 }];
