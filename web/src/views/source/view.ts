import type { DeclaredView, GuidePicture } from "../../model/declared_view";
import { hasCalls } from "../../model/declared_view";

export const view: DeclaredView = {
  name: "Source lines",
  place: 90,
  missing: (log) =>
    !hasCalls(log)
      ? "Empty: the log has no single calls, so no call stacks"
      : log.hasStacks === false
        ? "Empty: no call stacks were recorded"
        : null,
};

export const pictures: readonly GuidePicture[] = [{ page: "stacks", height: 420 }];
