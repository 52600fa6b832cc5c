/**
 * Places of a text with the history of the repository: files that usually change together with the likeliest ones count, too. The engine is asked twice,
 * since only the first answer tells whose partners are wanted.
 */

import type { CoChanged, LocateRequest, LocateResponse } from "../answers.js";

/** A history: read, not read in time, or none. */
export type HistoryState = "read" | "late" | "none";

/** The history as a host has it. */
export interface ChangesOfFiles {
  /** Waits for the history as long as an answer may. */
  state(): Promise<HistoryState>;
  /** Files that usually change together with one; nothing without a history. */
  with(path: string): Promise<readonly CoChanged[] | undefined>;
  /** More of them, each with the part of its own commits, too. */
  partners(path: string): Promise<readonly CoChanged[] | undefined>;
}

/** Files whose partners count: the engine looks at no more. */
const MAX_FILES = 5;
/** Files of which a smaller part of the commits changed both are no habit. */
const MIN_CONFIDENCE = 0.2;

/** The files that change with another one by habit. */
export function byHabit(together: readonly CoChanged[]): CoChanged[] {
  return together.filter(({ confidence }) => confidence >= MIN_CONFIDENCE);
}

type Locate = (request: LocateRequest) => Promise<LocateResponse>;

/** Answers a request; without a history as the engine does. Rejects as the engine does. */
export async function locateWithHistory(
  locate: Locate,
  changes: Pick<ChangesOfFiles, "state" | "partners">,
  request: LocateRequest,
): Promise<LocateResponse> {
  const state = await changes.state();
  if (state === "none") return locate(request);
  if (state === "late") return { ...(await locate(request)), with_history: false };
  const first = await locate({ ...request, code: false, limit: MAX_FILES, function_limit: 0 });
  const together = await Promise.all(
    first.files.map(async ({ path }) => ({ path, files: [...((await changes.partners(path)) ?? [])] })),
  );
  return { ...(await locate({ ...request, together })), with_history: true };
}
