import type { DeclaredView, GuidePicture } from "../../model/declared_view";
import { hasCalls, hasRows } from "../../model/declared_view";

export const view: DeclaredView = {
  name: "Phases",
  place: 50,
  missing: (log) =>
    hasCalls(log) || hasRows(log, "phase", "heatmap_phase") ? null : "Empty: the log has no times of its I/O",
};

export const pictures: readonly GuidePicture[] = [{ page: "openpmd", height: 900 }];
