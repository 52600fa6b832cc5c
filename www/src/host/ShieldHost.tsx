//! Fetches the list of requests when it is opened first.

import type { ComponentType } from "preact";
import { useLoaded } from "./ViewHost.tsx";
import { notify } from "../state/notices.ts";
import { shieldOpen } from "../state/watch.ts";

export function ShieldHost() {
  return shieldOpen.value ? <Opened /> : null;
}

function Opened() {
  const { component: Shown, failure } = useLoaded<ComponentType>(
    "shield",
    async () => (await import("../shield/Shield.tsx")).Shield,
  );
  if (Shown) return <Shown />;
  if (failure) {
    shieldOpen.value = false;
    notify("error", `Could not open the list of requests: ${failure.message}`, failure.help);
  }
  return null;
}
