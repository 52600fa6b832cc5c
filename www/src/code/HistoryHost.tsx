//! Fetches the part that shows the history of a file when it is asked for first.

import { Late, useLoaded } from "../host/ViewHost.tsx";
import type { FileHistory } from "./FileHistory.tsx";

const load = async () => (await import("./FileHistory.tsx")).FileHistory;

export function HistoryHost(props: Parameters<typeof FileHistory>[0]) {
  const { component: Shown, failure } = useLoaded<typeof FileHistory>("file history", load);
  return Shown ? <Shown {...props} /> : <Late title="history" failure={failure} />;
}
