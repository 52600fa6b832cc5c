// Edits one file of an indexed folder, again and again, and measures until the index is searchable and its graph right.
// One JSON line on standard output: medians in milliseconds.
//
//     node tests/benches/update.mjs FOLDER
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { Portolan } from "portolan";

const N_EDITS = 7;
/** Rounds before those that count, so that V8 has compiled hot code. */
const N_WARM = 4;

const root = mkdtempSync(join(tmpdir(), "portolan-bench-"));
try {
  cpSync(process.argv[2], root, { recursive: true });
  const index = await Portolan.index(root);
  await index.complete;
  const counts = new Map();
  for (const edge of await index.edges())
    if (edge.kind === "CALLS") counts.set(edge.callee_file, (counts.get(edge.callee_file) ?? 0) + 1);
  // Files that others call into: where an edit means something for the graph.
  const paths = [...counts]
    .filter(([path]) => path && /\.(py|ts|tsx|js|rs|go|java)$/.test(path))
    .sort((a, b) => b[1] - a[1])
    .slice(0, 40)
    .map(([path]) => path);
  const chosen = Array.from({ length: N_EDITS + N_WARM }, (_, n) => paths[(n * 5) % paths.length]);
  const row = {};
  for (const [name, edit] of Object.entries(edits())) {
    const given = [];
    const cpu = [];
    const looked = [];
    for (const [n, path] of chosen.entries()) {
      const text = readFileSync(join(root, path), "utf8");
      const { next, symbol } = edit(text, path, n);
      const deleted = next === undefined;
      const change = deleted ? { deleted: [path] } : { files: [{ path, bytes: new TextEncoder().encode(next) }] };
      const before = process.cpuUsage();
      const start = performance.now();
      await index.update(change);
      const { user, system } = process.cpuUsage(before);
      if (n >= N_WARM) given.push(performance.now() - start);
      if (n >= N_WARM) cpu.push((user + system) / 1000);
      if (symbol && (await index.find({ symbol })).symbols.length === 0)
        throw new Error(`${symbol} is not found after the edit of ${path}`);
      await index.update({ files: [{ path, bytes: new TextEncoder().encode(text) }] });
      // The same by looking at the whole folder.
      if (deleted) rmSync(join(root, path));
      else writeFileSync(join(root, path), next);
      const again = performance.now();
      const changes = await index.update();
      if (n >= N_WARM) looked.push(performance.now() - again);
      if (changes.modified.length + changes.deleted.length !== 1)
        throw new Error(`one change expected: ${JSON.stringify(changes).slice(0, 200)}`);
      writeFileSync(join(root, path), text);
      await index.update();
    }
    row[name] = { given: median(given), looked: median(looked), cpu: median(cpu) };
  }
  const { n_files, n_chunks } = await index.status();
  index.close();
  console.log(JSON.stringify({ n_files, n_chunks, ...row }));
} finally {
  rmSync(root, { recursive: true, force: true });
}

function edits() {
  const body = (path) =>
    path.endsWith(".py")
      ? "\n\ndef NAME(value):\n    return value\n"
      : path.endsWith(".rs")
        ? "\n\npub fn NAME(value: u32) -> u32 {\n    value\n}\n"
        : path.endsWith(".go")
          ? "\n\nfunc NAME(value int) int {\n\treturn value\n}\n"
          : path.endsWith(".java")
            ? "\n"
            : "\n\nexport function NAME(value) {\n  return value;\n}\n";
  return {
    body(text, path) {
      const lines = text.split("\n");
      const comment = path.endsWith(".py") ? "# edited" : "// edited";
      const at = lines.length >> 1;
      const indent = /^\s*/.exec(lines[at])[0];
      return { next: [...lines.slice(0, at), indent + comment, ...lines.slice(at)].join("\n") };
    },
    function(text, path, n) {
      const symbol = `added_here_${n}`;
      return { next: text + body(path).replace("NAME", symbol), symbol: path.endsWith(".java") ? undefined : symbol };
    },
    rename(text, _path, n) {
      const name = /^(?:export )?(?:pub )?(?:async )?(?:def|fn|func|function)\s+([A-Za-z_]\w{3,})/m.exec(text)?.[1];
      if (!name) return { next: `${text}\n` };
      const symbol = `${name}_renamed_${n}`;
      return { next: text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), symbol), symbol };
    },
    deleted: () => ({}),
  };
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[sorted.length >> 1] * 10) / 10;
}
