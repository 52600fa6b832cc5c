//! Ranks paths by a few typed letters: all must come in order; those at starts of words, in a row and in the file's own name
//! count more.

const starts = /[^a-z0-9]/i;

/** Scores how well the letters match, higher is better; null if they do not occur in order. Both are given in lower case. */
export function fit(letters: string, path: string, original = path): number | null {
  const name = path.lastIndexOf("/") + 1;
  const inName = scan(letters, path, original, name);
  const best = inName === null ? scan(letters, path, original, 0) : inName + 30;
  return best === null ? null : best - path.length * 0.05;
}

function scan(letters: string, path: string, original: string, from: number): number | null {
  let at = from;
  let score = 0;
  let last = -2;
  for (const letter of letters) {
    if (letter === " ") continue;
    const found = path.indexOf(letter, at);
    if (found < 0) return null;
    const capital = original[found] !== path[found];
    if (found === last + 1) score += 6;
    else if (found === from || starts.test(path[found - 1] ?? "/") || capital) score += 5;
    else score += 1 - Math.min(3, (found - at) * 0.05);
    last = found;
    at = found + 1;
  }
  return score;
}

/** Places of the typed letters in a text, as they were found; none where they do not all occur. */
export function marksOf(letters: string, text: string): readonly number[] {
  const lower = text.toLowerCase();
  const wanted = letters.toLowerCase().replaceAll(" ", "");
  const whole = wanted === "" ? -1 : lower.indexOf(wanted);
  if (whole >= 0) return Array.from({ length: wanted.length }, (_, at) => whole + at);
  const found: number[] = [];
  let at = 0;
  for (const letter of wanted) {
    const place = lower.indexOf(letter, at);
    if (place < 0) return [];
    found.push(place);
    at = place + 1;
  }
  return found;
}

export interface Ranked {
  readonly path: string;
  readonly score: number;
}

const batch = 5000;

/** The best paths for the letters. Pauses between batches so that a hundred thousand paths do not hold the page up. */
export async function bestPaths(
  typed: string,
  paths: readonly string[],
  limit: number,
  stop: () => boolean,
): Promise<Ranked[]> {
  const letters = typed.toLowerCase().replaceAll("\\", "/");
  const found: Ranked[] = [];
  for (let start = 0; start < paths.length; start += batch) {
    if (start > 0) await new Promise((resolve) => setTimeout(resolve));
    if (stop()) return [];
    for (const path of paths.slice(start, start + batch)) {
      const score = fit(letters, path.toLowerCase(), path);
      if (score !== null) found.push({ path, score });
    }
  }
  return found.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)).slice(0, limit);
}
