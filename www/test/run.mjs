// Runs every test of the page's parts under Node: `node www/test/run.mjs [words of a path…]`.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, "../src");
const words = process.argv.slice(2);
const tests = readdirSync(source, { recursive: true })
  .map((path) => join(source, String(path)))
  .filter((path) => /\.test\.tsx?$/.test(path) && (words.length === 0 || words.some((word) => path.includes(word))));
const { status } = spawnSync(
  process.execPath,
  [
    "--import",
    join(here, "register.mjs"),
    "--test",
    "--test-timeout=1200000",
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    ...tests,
  ],
  { stdio: "inherit" },
);
process.exit(status ?? 1);
