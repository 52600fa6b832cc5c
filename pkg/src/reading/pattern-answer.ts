/**
 * Puts together what workers found in batches of texts. Batches count in path order, and the steps of all texts are added up in
 * that order: where the sum ends the search does not depend on which worker was faster, or on how many there are.
 */

import type { CutOff, StructuralMatch, StructuralPlan, StructuralResponse } from "../../wasm/reader.js";
import type { PatternFile, PatternResult } from "../rpc/protocol.js";

/** Help of an answer that ended before its files did. The engine's own searches say the same. */
const HELP = {
  steps: "name paths or languages, or say more exactly what is looked for",
  time: "raise max_millis, or name paths or languages",
} as const;

interface Batch {
  readonly paths: string[];
  result?: PatternResult;
}

export class PatternAnswer {
  private readonly batches: Batch[] = [];

  constructor(private readonly plan: StructuralPlan) {}

  /** Takes a batch that is about to be searched. Returns its place. */
  begin(files: readonly PatternFile[]): number {
    return this.batches.push({ paths: files.map(({ path }) => path) }) - 1;
  }

  /** Takes what was found in a batch. */
  end(place: number, result: PatternResult): void {
    const batch = this.batches[place];
    if (batch) batch.result = result;
  }

  /** Whether the first batches, without a gap, have more than is wanted or took all steps. */
  isEnough(): boolean {
    let n_matches = 0;
    let n_steps = 0;
    for (const { result } of this.batches) {
      if (result === undefined) return false;
      n_matches += result.matches.length;
      for (const steps of result.n_steps) n_steps += steps;
      if (n_matches > this.plan.limit || result.truncated || n_steps > this.plan.max_steps) return true;
    }
    return false;
  }

  /** All that was found, up to where the limit, the steps or the time end it. */
  response(): StructuralResponse {
    const matches: StructuralMatch[] = [];
    let [truncated, timed_out, n_files, n_steps] = [false, false, 0, 0];
    let cut_off: CutOff | undefined;
    for (const { paths, result } of this.batches) {
      if (result === undefined) {
        // It was not begun because the time was up; or nobody needs it, since there is enough before it.
        if (!truncated) cut_off = cutOff("time", paths[0]);
        break;
      }
      const n_within = result.n_steps.findIndex((steps) => {
        n_steps += steps;
        return n_steps > this.plan.max_steps;
      });
      const kept = n_within < 0 ? result.matches : before(result.matches, paths.slice(n_within));
      matches.push(...kept);
      n_files += n_within < 0 ? result.n_files : n_within;
      timed_out ||= result.timed_out;
      truncated ||= (n_within < 0 && result.truncated) || matches.length > this.plan.limit;
      if (truncated) break;
      if (n_within >= 0) cut_off = cutOff("steps", paths[n_within]);
      else if (result.timed_out && !result.is_lost && result.n_files < paths.length)
        cut_off = cutOff("time", paths[result.n_files]);
      if (cut_off) break;
    }
    return {
      matches: matches.slice(0, this.plan.limit),
      truncated,
      timed_out: timed_out || cut_off !== undefined,
      ...(cut_off && { cut_off }),
      n_files,
      languages: this.plan.words.map(({ language }) => language),
      unread: this.plan.unread,
    };
  }
}

function cutOff(reason: keyof typeof HELP, path = ""): CutOff {
  return { path, reason, help: HELP[reason] };
}

/** The matches that are in none of these files. */
function before(matches: readonly StructuralMatch[], paths: readonly string[]): StructuralMatch[] {
  const behind = new Set(paths);
  return matches.filter(({ path }) => !behind.has(path));
}
