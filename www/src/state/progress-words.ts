//! Work under way: in words, and as a share of the whole.

import type { Progress } from "portolan";
import { plural } from "./format.ts";

const phases: Record<Progress["phase"], string> = {
  reading: "Reading",
  parsing: "Parsing",
  building: "Building the index",
  embedding: "Computing vectors",
  saving: "Saving in this browser",
};

/** `Parsing 812 of 3,204 files`. */
export function progressWords({ phase, done, total, unchanged = 0, waiting }: Progress): string {
  if (waiting)
    return `${waiting.host} allows no more requests before ${new Date(waiting.until).toLocaleTimeString()}: waiting`;
  const words = phases[phase] ?? phase;
  if (phase === "building" || phase === "saving") return words;
  const unit = phase === "embedding" ? "passage" : "file";
  if (total <= 0) return done > 0 ? `${words} ${plural(done, unit)}` : words;
  const kept = unchanged > 0 ? `, ${unchanged.toLocaleString("en")} unchanged` : "";
  return `${words} ${done.toLocaleString("en")} of ${plural(total, unit)}${kept}`;
}

/** Where each phase begins and ends on the bar. Roughly its share of the time. */
const ends: Record<Progress["phase"], number> = {
  reading: 0.7,
  parsing: 0.7,
  building: 0.8,
  embedding: 0.95,
  saving: 1,
};
const starts: Record<Progress["phase"], number> = {
  reading: 0,
  parsing: 0,
  building: 0.7,
  embedding: 0.8,
  saving: 0.95,
};

/**
 * Follows the progress of one piece of work: its share of the whole, which never falls, or null where nothing can be counted.
 *
 * Files are parsed while others are still read, so the number of files to parse grows: by itself it would be nearly done all the time.
 */
export function wholeMeter(): (progress: Progress) => number | null {
  let most = 0;
  let read = 0;
  return ({ phase, done, total }) => {
    if (phase === "building" || phase === "saving" || total <= 0) return null;
    const share = Math.min(1, done / total);
    if (phase === "reading") read = Math.max(read, share);
    // A single step, such as unpacking an archive, is no measure.
    const part =
      phase === "reading" ? (total > 1 ? share * 0.1 : 0) : phase === "parsing" ? share * (read || 1) : share;
    most = Math.max(most, starts[phase] + part * (ends[phase] - starts[phase]));
    return most;
  };
}
