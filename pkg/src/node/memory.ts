/** Returns how much of the machine's memory an engine may take. */

/** The rest is for the workers that parse, and for others. */
const SHARE = 3 / 4;

/** Of what a container may use, where it is limited, or of what there is. */
export function memoryOf(limited: number | undefined, total: number): number {
  return SHARE * (limited !== undefined && limited > 0 ? Math.min(limited, total) : total);
}
