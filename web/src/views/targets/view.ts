import type { DeclaredView, GuidePicture } from "../../model/declared_view";
import { hasRows } from "../../model/declared_view";

export const view: DeclaredView = {
  name: "Storage targets",
  place: 70,
  missing: (log) =>
    log.description.targets.length > 0 ||
    log.description.files.some((file) => file.stripe_count !== null || file.stripe_bytes !== null) ||
    hasRows(log, "target_load", "server_sample", "server_activity")
      ? null
      : "Empty: the log has no data on storage targets",
};

export const pictures: readonly GuidePicture[] = [{ page: "openpmd", height: 820 }];
