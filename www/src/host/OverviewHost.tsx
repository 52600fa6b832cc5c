//! Fetches the overview when a repository is chosen: the shell of the page has none of it.

import type { Repository } from "../state/repository.ts";
import { Late, useLoaded } from "./ViewHost.tsx";

/** Fetches its code, ahead of the index that it is about. */
export const loadOverview = async () => (await import("../overview/Overview.tsx")).Overview;

export function OverviewHost({ repository }: { repository: Repository }) {
  const { component: Shown, failure } = useLoaded("overview", loadOverview);
  return Shown ? <Shown repository={repository} /> : <Late title="overview" failure={failure} />;
}
