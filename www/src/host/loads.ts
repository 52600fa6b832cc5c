//! The code of each view, loaded when it is opened first.

import type { ComponentType } from "preact";
import type { Repository } from "../state/repository.ts";
import type { WorkViewId } from "../state/work-views.ts";

/** A view takes the open repository; the link holds its question. */
export type ViewComponent = ComponentType<{ repository: Repository }>;

export const loads: Readonly<Record<WorkViewId, () => Promise<ViewComponent>>> = {
  locate: async () => (await import("../locate/Locate.tsx")).Locate,
  map: async () => (await import("../map/RepoMap.tsx")).RepoMap,
  impact: async () => (await import("../impact/Impact.tsx")).Impact,
  flows: async () => (await import("../flows/Flows.tsx")).Flows,
  changes: async () => (await import("../changes/ChangesView.tsx")).ChangesView,
  rename: async () => (await import("../rename/Rename.tsx")).Rename,
  replace: async () => (await import("../replace/Replace.tsx")).Replace,
  cypher: async () => (await import("../cypher/Cypher.tsx")).Cypher,
  generate: async () => (await import("../generate/Generate.tsx")).Generate,
  atlas: async () => (await import("../atlas/Atlas.tsx")).Atlas,
  chat: async () => (await import("../chat/Chat.tsx")).Chat,
};
