// How long the page's main thread works at a time, as milliseconds of a quiet machine: a shared machine has half of its usual
// speed for hours, and a limit in its milliseconds would say nothing about the page.

/**
 * Milliseconds that `compute` takes on the quiet machine with two cores where the limits of the tests were set. An estimate: it
 * took 67 where another loop took half as long again as there.
 */
const QUIET_MILLIS = 50;

/** A fixed work of the kinds that the page has: objects, texts as keys, sorting. */
function compute() {
  let seed = 1;
  const numbers = Array.from({ length: 100_000 }, () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0));
  const counts = new Map();
  for (const number of numbers) {
    const key = `k${number % 5_003}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return numbers.sort((a, b) => a - b)[0] + counts.size;
}

/**
 * How many times as long as on a quiet machine a fixed computation takes here now, at least 1: `cpu` in processor time, and
 * `wall` by the clock, which other programs lengthen too. Takes about half a second.
 * @returns {{ cpu: number, wall: number }}
 */
export function slowness() {
  const rounds = 6;
  // Compiled before it is timed.
  compute();
  compute();
  const start = performance.now();
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) compute();
  const { user, system } = process.cpuUsage(before);
  const times = (millis) => Math.max(1, millis / (rounds * QUIET_MILLIS));
  return { cpu: times((user + system) / 1000), wall: times(performance.now() - start) };
}

/** Records the tasks of the page's main thread; `stop` gives the CPU milliseconds of each. */
export async function recordTasks(page) {
  const session =
    (await page.context().browser()?.newBrowserCDPSession()) ?? (await page.context().newCDPSession(page));
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "__metadata"], excludedCategories: ["*"] },
  });
  return {
    async stop() {
      const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
      await session.send("Tracing.end");
      await complete;
      const threads = events
        .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
        .map(({ pid, tid }) => `${pid}:${tid}`);
      return events
        .filter(({ ph, pid, tid, tdur }) => ph === "X" && tdur !== undefined && threads.includes(`${pid}:${tid}`))
        .map(({ tdur }) => tdur / 1000);
    },
  };
}

const ATTEMPTS = 3;

/**
 * Measures steps of which each must stay below a limit, again if one does not; resolves with the least of each, as processor
 * time of a quiet machine. Programs that share a core make a task's processor time longer, never shorter.
 * @param {number} limit
 * @param {(note: (name: string, measured: number) => void) => Promise<void>} walk  takes the steps and notes each
 * @returns {Promise<Map<string, number>>}
 */
export async function leastOf(limit, walk) {
  const least = new Map();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const measured = new Map();
    const before = slowness().cpu;
    await walk((name, millis) => measured.set(name, millis));
    const slow = (before + slowness().cpu) / 2;
    for (const [name, millis] of measured)
      least.set(name, Math.min(millis / slow, least.get(name) ?? Number.POSITIVE_INFINITY));
    if ([...least.values()].every((millis) => millis < limit)) break;
  }
  return least;
}
