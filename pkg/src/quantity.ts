/** Numbers with their nouns in texts for people. */

/** `1 file`, `2 files`. */
export function quantity(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}
