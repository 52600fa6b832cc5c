//! The state of a long task in words.
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
export function progressWords({ phase, done, total, unchanged = 0 }: Progress): string {
  const words = phases[phase] ?? phase;
  if (phase === "building" || phase === "saving") return words;
  const unit = phase === "embedding" ? "passage" : "file";
  if (total <= 0) return done > 0 ? `${words} ${plural(done, unit)}` : words;
  const kept = unchanged > 0 ? `, ${unchanged.toLocaleString("en")} unchanged` : "";
  return `${words} ${done.toLocaleString("en")} of ${plural(total, unit)}${kept}`;
}
