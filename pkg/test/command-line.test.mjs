// Every command as a process: its help, its options, what it refuses; completion in real shells; colours.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { COMMAND_LIST, optionsOf } from "../dist/commands/command-list.js";
import { OPTIONS } from "../dist/commands/option-list.js";
import { painted, wantsColour } from "../dist/cli/paint.js";
import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const root = folderWith(SHOP);

function portolan(args, { env = {}, input } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd: root,
    encoding: "utf8",
    input,
    env: { ...process.env, ...env },
  });
  return { code: status, stdout, stderr };
}

before(() => assert.equal(portolan(["index", "."]).code, 0));

for (const command of COMMAND_LIST.filter(({ name }) => name !== "help")) {
  test(`portolan ${command.name} --help`, () => {
    const { code, stdout, stderr } = portolan([command.name, "--help"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.ok(
      stdout.startsWith(`portolan ${command.name}`) && stdout.includes("Examples\n") && command.examples.length > 0,
    );
    for (const option of optionsOf(command)) assert.match(stdout, new RegExp(`--${option}\\b`), option);
    for (const line of stdout
      .split("\n")
      .filter((line) => !line.startsWith("  portolan") && !line.includes("portolan ")))
      assert.ok(line.length <= 104, line);
  });
}

test("every option belongs to a command, and its examples name options that there are", () => {
  const taken = new Set(COMMAND_LIST.flatMap(optionsOf));
  for (const name of Object.keys(OPTIONS))
    assert.ok(name === "version" || taken.has(name), `--${name} is of no command`);
  for (const command of COMMAND_LIST) {
    for (const [line] of command.examples) {
      for (const [, option] of line.matchAll(/ --([a-z-]+)/g))
        assert.ok(optionsOf(command).includes(option), `${line}: --${option}`);
    }
  }
});

test("the list of commands says what each does, and the exit codes", () => {
  const { stdout } = portolan(["--help"]);
  for (const { name, summary } of COMMAND_LIST)
    assert.ok(stdout.includes(`portolan ${name}`) && stdout.includes(summary), name);
  assert.equal(portolan(["help"]).stdout, stdout);
  assert.match(portolan(["help", "search"]).stdout, /^portolan search QUERY/);
});

test("what is mistyped is told with what was meant", () => {
  for (const [args, message] of [
    [["serach", "x"], /no command "serach"; did you mean "search"\?/],
    [["search", "x", "--limt", "2"], /no option --limt; did you mean "--limit"\?/],
    [["search", "x", "--depth", "2"], /search: it has no option --depth; `portolan search --help`/],
    [
      ["search", "x", "--mode", "psychic"],
      /--mode expects auto, lexical, vector, hybrid, ast, graph, all, not "psychic"/,
    ],
    [["status", "x"], /status: it takes no operand/],
    [["definition", "src/cart.ts"], /expected FILE:LINE:COLUMN/],
    [["completion", "tcsh"], /there is one for bash, zsh, fish/],
    [["serve", "--base-path", "x"], /--base-path must begin and end with \//],
    [["export", "--passphrase-file", "x"], /a snapshot goes to a file: -o FILE/],
    [["export", "--obfuscate-paths", "-o", "x"], /needs a --key-file/],
    [["build", "a", "b"], /one PATH is enough/],
    [["reveal", "x"], /--key-file is missing/],
  ]) {
    const outcome = portolan(args);
    assert.deepEqual([outcome.code, outcome.stdout], [2, ""], args.join(" "));
    assert.match(outcome.stderr, message);
  }
});

test("definition, similar, graph, text, files", () => {
  const lines = SHOP["src/cart.ts"].split("\n");
  const line = lines.findIndex((text) => text.includes("return addTax(")) + 1;
  const column = lines[line - 1].indexOf("addTax") + 1;
  assert.match(
    portolan(["definition", `src/cart.ts:${line}:${column}`]).stdout,
    /^src\/tax\.ts:\d+ {2}function addTax/,
  );
  assert.match(portolan(["definition", `./src/cart.ts:${line}:${column}`, "--json"]).stdout, /"confidence"/);
  assert.equal(portolan(["similar", "addTax", "--json"]).code, 0);
  assert.match(portolan(["graph", "addTax"]).stdout, /addTax/);
  assert.equal(portolan(["text", "src/cart.ts"]).stdout, SHOP["src/cart.ts"]);
  assert.equal(portolan(["text", `src/cart.ts:${line}`]).stdout, `${lines[line - 1]}\n`);
  assert.match(portolan(["files"]).stdout, /^src\/cart\.ts {2}typescript {2}\(\d+ lines, \d+ definitions\)$/m);
  assert.match(
    portolan(["search", "value added tax", "--explain"]).stdout,
    /found by: .*\n {4}terms: .*\n(.*\n)*? {4}score: [\d.]+ → [\d.]+/,
  );
});

test("colours: as asked, then FORCE_COLOR, NO_COLOR, terminal", () => {
  assert.equal(portolan(["find", "addTax"]).stdout.includes("\x1b["), false);
  const always = portolan(["find", "addTax", "--color", "always"]).stdout;
  assert.ok(always.startsWith("\x1b[36msrc/tax.ts\x1b[0m:\x1b[32m4\x1b[0m"), always);
  assert.ok(portolan(["find", "addTax"], { env: { FORCE_COLOR: "1" } }).stdout.includes("\x1b["));
  assert.equal(portolan(["find", "addTax", "--json"], { env: { FORCE_COLOR: "1" } }).stdout.includes("\x1b["), false);
  assert.equal(
    portolan(["find", "addTax", "--color", "never"], { env: { FORCE_COLOR: "1" } }).stdout.includes("\x1b["),
    false,
  );
  const terminal = { isTTY: true };
  assert.deepEqual(
    [
      wantsColour(undefined, terminal, {}),
      wantsColour(undefined, terminal, { NO_COLOR: "1" }),
      wantsColour(undefined, terminal, { NO_COLOR: "1", FORCE_COLOR: "1" }),
      wantsColour(undefined, terminal, { TERM: "dumb" }),
      wantsColour("never", terminal, {}),
    ],
    [true, false, true, false, false],
  );
  const answer = "src/a.ts:1-2  f  (0.5)\n  1  code\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nrest\n";
  assert.equal(stripVTControlCharacters(painted(answer)), answer, "painting changes no letter");
  assert.ok(painted(answer).includes("\x1b[31m-a\x1b[0m\n\x1b[32m+b"), painted(answer));
});

test("help names the values that an option has in its command", () => {
  const { stdout } = portolan(["map", "--help"]);
  assert.match(stdout, /--order O +symbols \(most definitions first\) or centrality\n/);
  assert.match(portolan(["traverse", "--help"]).stdout, /--order O +breadth or depth first\n/);
  assert.doesNotMatch(portolan(["impact", "--help"]).stdout, /both/);
});

// The typed line, and the line once the shell has completed it.
const TYPED = [
  ["portolan sea", "portolan search"],
  ["portolan search --exp", "portolan search --explain"],
  ["portolan search --mode l", "portolan search --mode lexical"],
  ["portolan map --order c", "portolan map --order centrality"],
  ["portolan traverse --order b", "portolan traverse --order breadth"],
  ["portolan impact --direction d", "portolan impact --direction downstream"],
  ["portolan completion f", "portolan completion fish"],
  ["portolan outline READ", "portolan outline README.md"],
];
const isHere = (shell) => !spawnSync(shell, ["-c", ":"]).error;
const unless = (shell) => ({ skip: isHere(shell) ? false : `there is no ${shell} on this machine` });

test("completion names every command, in a script that each shell reads", (t) => {
  for (const [shell, check] of [
    ["bash", ["-n"]],
    ["zsh", ["-n"]],
    ["fish", ["--no-execute"]],
  ]) {
    const { stdout } = portolan(["completion", shell]);
    for (const { name } of COMMAND_LIST) assert.ok(stdout.includes(name), `${shell}: ${name}`);
    if (!isHere(shell)) t.diagnostic(`there is no ${shell} on this machine`);
    else {
      const file = join(root, `../portolan.${shell}`);
      writeFileSync(file, stdout);
      const parsed = spawnSync(shell, [...check, file], { encoding: "utf8" });
      assert.deepEqual([parsed.status, parsed.stderr], [0, ""], shell);
    }
  }
});

test("completion in bash", unless("bash"), () => {
  const script = portolan(["completion", "bash"]).stdout;
  for (const [line, expected] of TYPED) {
    const words = line.split(" ");
    const run = `${script}\nCOMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _portolan; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync("bash", ["-c", run], { cwd: root, encoding: "utf8" });
    assert.equal([...words.slice(0, -1), stdout.trim()].join(" "), expected);
  }
});

// A shell at a terminal of its own: tab completes, and the next key writes the line to a file.
const AT_A_TERMINAL = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PROMPT=; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; source '$1'; bindkey "^I" complete-word; said() { print -r -- "$BUFFER" > $OUT; BUFFER=; }; zle -N said; bindkey "^X" said; echo REA""DY'
zpty -r shell out '*READY*'
shift
for line in "$@"; do
  : > $OUT
  zpty -n -w shell "$line"$'\\t'
  zpty -n -w shell $'\\x18'
  for try in {1..600}; do [[ -s $OUT ]] && break; sleep 0.05; zpty -r -t shell out; done
  cat $OUT
done
`;

test("completion in zsh", unless("zsh"), () => {
  const [script, out] = [join(root, "../_portolan"), join(root, "../typed")];
  writeFileSync(script, portolan(["completion", "zsh"]).stdout);
  const lines = TYPED.map(([line]) => line);
  const { stdout, stderr } = spawnSync("zsh", ["-f", "-c", AT_A_TERMINAL, "zsh", script, ...lines], {
    cwd: root,
    encoding: "utf8",
    timeout: 60_000,
    env: { ...process.env, OUT: out, TERM: "dumb" },
  });
  assert.deepEqual(
    stdout.split("\n").map((line) => line.trimEnd()),
    [...TYPED.map(([, expected]) => expected), ""],
    stderr,
  );
});

test("completion in fish", unless("fish"), () => {
  const script = join(root, "../portolan.fish");
  writeFileSync(script, portolan(["completion", "fish"]).stdout);
  for (const [line, expected] of TYPED) {
    const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", `source ${script}; complete -C '${line}'`], {
      cwd: root,
      encoding: "utf8",
    });
    const [word] = stdout.trim().split("\t");
    assert.equal([...line.split(" ").slice(0, -1), word].join(" "), expected, stderr);
  }
});

test("the launcher is one for every system", () => {
  const launcher = readFileSync(join(fileURLToPath(new URL("..", import.meta.url)), "bin/portolan.js"), "utf8");
  assert.ok(launcher.startsWith("#!/usr/bin/env node\n") && !launcher.includes("\r"));
});

test("what a newcomer stumbles over", () => {
  // Nothing found is an answer, and says so beside it.
  assert.deepEqual(portolan(["find", "nowhere"]), { code: 0, stdout: "", stderr: "portolan: nothing found\n" });
  assert.deepEqual(portolan(["find", "nowhere", "--quiet"]), { code: 0, stdout: "", stderr: "" });
  assert.equal(portolan(["find", "nowhere", "--json"]).stderr, "");
  // Lines that there are not.
  for (const lines of ["0", "0-3", "5-2"])
    assert.deepEqual(
      [portolan(["text", `src/tax.ts:${lines}`]).code, portolan(["text", `src/tax.ts:${lines}`]).stdout],
      [2, ""],
    );
  assert.match(
    portolan(["text", "src/tax.ts:99"]).stderr,
    /src\/tax\.ts ends at line \d+, there is no line 99 \[position\.outside\]/,
  );
  assert.match(portolan(["text", "src/tax.ts:1-99"]).stdout, /addTax/);
  assert.match(portolan(["-v"]).stderr, /there is no option -v\nTry `portolan --help`/);
  // Of a command, its own options are suggested, and its help.
  assert.match(
    portolan(["map", "--max-tokens", "9"]).stderr,
    /there is no option --max-tokens; did you mean "--tokens"\?\nTry `portolan map --help`/,
  );
  // A folder in place of its index.
  assert.match(portolan(["find", "addTax", "--index", root]).stdout, /^src\/tax\.ts:4/);
  assert.match(
    portolan(["find", "addTax", "--index", join(root, "src")]).stderr,
    /there is no index at .*src.\.portolan.index\.portolan \[storage\.not-found\]/,
  );
});

test("the line of a batch that cannot be read is the one in the file", () => {
  const { code, stderr } = portolan(["search", "--batch", "-"], { input: '{"query":"x"}\n\nno json\n' });
  assert.equal(code, 0, "the other lines are answered");
  assert.match(stderr, /^portolan: -:3: expected \{"query": "…"\} \[input\.invalid\]/);
  assert.deepEqual(
    [portolan(["status", "--index", ""]).code, portolan(["status", "--index", ""]).stderr.split("\n")[0]],
    [2, "portolan: --index expects a file or a folder"],
  );
});

test("an answer or an index that cannot be written is a failure, with words", {
  skip: process.platform !== "linux" && "no /dev/full",
}, () => {
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync(process.execPath, [BIN, "find", "addTax"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", full, "pipe"],
  });
  closeSync(full);
  assert.equal(status, 1);
  assert.match(stderr, /^portolan: the answer cannot be written: .*ENOSPC.*\[output\.failed\]\n$/);
  writeFileSync(join(root, "in-the-way"), "");
  const index = portolan(["index", ".", "-o", "in-the-way/index.portolan"]);
  assert.equal(index.code, 1);
  assert.match(index.stderr, /^portolan: .*index\.portolan cannot be read: .* \[storage\.failed\]\n/);
  assert.match(
    portolan(["export", "--passphrase-file", "in-the-way", "-o", "in-the-way/x.sealed"]).stderr,
    /^portolan: .* \[[a-z.-]+\]\n/,
  );
  rmSync(join(root, "in-the-way"));
});

test("portolan serve: the base path without its stroke leads to the page", async () => {
  mkdirSync(join(root, "page"));
  writeFileSync(join(root, "page/index.html"), "<p>page</p>");
  const child = spawn(process.execPath, [BIN, "serve", "page", "--port", "0", "--base-path", "/a/b/"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve) =>
    child.stdout.setEncoding("utf8").once("data", (text) => resolve(text.trim())),
  );
  const asked = await fetch(url.slice(0, -1), { redirect: "manual" });
  assert.deepEqual([asked.status, asked.headers.get("location")], [308, "/a/b/"]);
  assert.equal(await (await fetch(url.slice(0, -1))).text(), "<p>page</p>");
  assert.equal((await fetch(url.replace("/a/b/", "/"))).status, 404);
  child.kill("SIGTERM");
  assert.equal(await new Promise((resolve) => child.once("exit", (code) => resolve(code))), 0);
});
