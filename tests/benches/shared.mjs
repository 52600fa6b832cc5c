// Measures what a push sends from commit to commit, and how long pull takes, over a server on loopback:
//   node tests/benches/shared.mjs [REPOSITORY] [--commits 5]
// Prints for each commit the size of the index, and the bytes that would be sent if the unit were a whole section, a piece of fixed size,
// or a piece that is cut by content, as `portolan push` does it. Then the times of push and pull. Builds nothing: `cargo xtask build` before.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { Cutter } from "../../pkg/dist/shared/cutter.js";
import { layoutOf, N_START } from "../../pkg/dist/shared/layout.js";

const BIN = fileURLToPath(new URL("../../pkg/bin/portolan.js", import.meta.url));
const { values, positionals } = parseArgs({
  options: { commits: { type: "string", default: "5" } },
  allowPositionals: true,
});
const source = resolve(positionals[0] ?? fileURLToPath(new URL("../..", import.meta.url)));
const world = mkdtempSync(join(tmpdir(), "portolan-bench-"));
const [clone, laptop] = [join(world, "ci"), join(world, "laptop")];
const env = {
  PATH: process.env.PATH,
  HOME: world,
  XDG_CONFIG_HOME: join(world, "config"),
  PORTOLAN_HOME: "",
  PORTOLAN_NATIVE: process.env.PORTOLAN_NATIVE ?? "no",
};

const git = (cwd, ...args) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
const portolan = (cwd, ...args) =>
  execFileSync(process.execPath, [BIN, ...args], {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    stdio: ["ignore", "pipe", "inherit"],
  });
const digestOf = (bytes) => createHash("sha256").update(bytes).digest("hex");
const megabytes = (n) => (n / 1e6).toFixed(2).padStart(8);

/** Units of a file by digest, with their sizes. */
function unitsOf(file, kind) {
  const parts = [];
  if (kind === "content") for (const { bytes } of new Cutter(file.length).push(file)) parts.push(bytes);
  else {
    let at = 0;
    for (const { n_bytes } of layoutOf(file.subarray(0, N_START), file.length).parts) {
      const step = kind === "section" ? n_bytes : 256 * 1024;
      for (let from = 0; from < n_bytes; from += step)
        parts.push(file.subarray(at + from, at + Math.min(from + step, n_bytes)));
      at += n_bytes;
    }
  }
  return new Map(parts.map((bytes) => [digestOf(bytes), bytes.length]));
}

async function served() {
  const token = portolan(world, "token", "create", "--shared", "indexes", "--scope", "admin", "-q").trim();
  const args = [BIN, "serve", "--shared", "indexes", "--port", "0", "--audit-file", "audit.log"];
  const child = spawn(process.execPath, args, { cwd: world, env, stdio: ["ignore", "pipe", "inherit"] });
  env.PORTOLAN_SHARED_TOKEN = token;
  env.PORTOLAN_SHARED_SERVER = String(await new Promise((resolve) => child.stdout.once("data", resolve))).trim();
  return child;
}

const server = await served();
try {
  git(world, "clone", "-q", source, clone);
  const commits = git(clone, "log", "--first-parent", "--format=%H", "-n", values.commits).split("\n").reverse();
  const before = { section: new Map(), fixed: new Map(), content: new Map() };
  console.log("commit        index MB   section     fixed   content  pieces   push s");
  for (const commit of commits) {
    git(clone, "checkout", "-q", "--detach", commit);
    portolan(clone, "index", "-q");
    const file = new Uint8Array(readFileSync(join(clone, ".portolan/index.portolan")));
    const sent = Object.keys(before).map((kind) => {
      const units = unitsOf(file, kind);
      const isNew = [...units].filter(([digest]) => !before[kind].has(digest));
      for (const [digest, n] of units) before[kind].set(digest, n);
      return { n_bytes: isNew.reduce((sum, [, n]) => sum + n, 0), n: isNew.length, total: units.size };
    });
    const { seconds } = JSON.parse(portolan(clone, "push", "--repo", "bench", "--json"));
    const { n, total } = sent[2];
    console.log(
      `${commit.slice(0, 10)}  ${megabytes(file.length)}  ${sent.map(({ n_bytes }) => megabytes(n_bytes)).join("  ")}  ${`${n}/${total}`.padStart(6)}  ${seconds.toFixed(2).padStart(7)}`,
    );
  }
  git(world, "clone", "-q", source, laptop);
  git(laptop, "checkout", "-q", "--detach", commits.at(-1));
  const pull = (...more) => JSON.parse(portolan(laptop, "pull", "--repo", "bench", "--json", ...more));
  const all = pull("--no-update");
  console.log(`pull into a fresh clone: ${megabytes(all.fetched.n_bytes).trim()} MB in ${all.seconds} s`);
  writeFileSync(join(laptop, "more.ts"), "export const more = 1;\n");
  const updated = pull();
  console.log(
    `again, with one more file in the working tree: ${updated.seconds} s, and ${updated.update.seconds} s to index it`,
  );
  rmSync(join(laptop, "more.ts"));
  git(laptop, "checkout", "-q", "--detach", commits[0]);
  const back = pull("--no-update");
  console.log(`another commit's version: ${megabytes(back.fetched.n_bytes).trim()} MB in ${back.seconds} s`);
} finally {
  server.kill();
  rmSync(world, { recursive: true, force: true });
}
