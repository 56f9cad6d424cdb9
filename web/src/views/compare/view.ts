import type { DeclaredView, GuidePicture } from "../../model/declared_view";

export const view: DeclaredView = {
  name: "Compare",
  place: 100,
};

export const pictures: readonly GuidePicture[] = [{ page: "before", height: 860, opens: "after" }];
