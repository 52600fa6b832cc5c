//! The index that came with the page: a sample, or the one that the page was built for.

import { signal } from "@preact/signals";

/** Whether this build of the page carries a sample index. */
export const hasSample = signal(false);

/** The index that `portolan build` laid beside this page, by its name: the page opens with it. Empty in other builds. */
export const siteName =
  typeof document === "undefined"
    ? ""
    : (document.querySelector<HTMLMetaElement>('meta[name="portolan-index"]')?.content ?? "");
/** Whether only the parts of that index are fetched that questions read. */
export const siteInParts =
  typeof document !== "undefined" && document.querySelector('meta[name="portolan-parts"]') !== null;
/** Name of the sample in links and in the list. */
export const sampleName = siteName || "portolan (sample)";
export const sampleUrl = "./sample/portolan.index";

/** Looks once whether the sample is there. */
export async function findSample(): Promise<void> {
  if (siteName !== "") {
    hasSample.value = true;
    return;
  }
  try {
    const answer = await fetch(sampleUrl, { method: "HEAD" });
    // A host that answers every address with the page itself has no sample.
    hasSample.value = answer.ok && !(answer.headers.get("content-type") ?? "").includes("text/html");
  } catch {
    hasSample.value = false;
  }
}
