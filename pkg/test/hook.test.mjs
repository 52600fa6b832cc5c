// The hook that goes along with an agent's searches: patterns, answers, and silence whatever is wrong. Runs the real binary.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Portolan } from "portolan";

import { bindIndex } from "../dist/node/bind-index.js";
import { namesOf, patternOfCall } from "../dist/hook/pattern.js";
import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const shop = folderWith(SHOP);
const bare = folderWith({ "src/a.ts": "export function addTax() {}\n" });

before(async () => {
  const index = await Portolan.index(shop, { store: true, embeddings: false });
  await index.complete;
  index.close();
});

function hook(event, cwd = shop) {
  const input =
    typeof event === "string" || Buffer.isBuffer(event)
      ? event
      : JSON.stringify({ hook_event_name: "PreToolUse", cwd, ...event });
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, "hook"], { input, encoding: "utf8", cwd: bare });
  assert.deepEqual([status, stderr], [0, ""], JSON.stringify(event).slice(0, 200));
  return stdout === "" ? "" : JSON.parse(stdout);
}

test("a search comes back with symbols, callers, callees and flows", () => {
  const answer = hook({ tool_name: "Grep", tool_input: { pattern: "addTax", path: "src/" } });
  assert.deepEqual(Object.keys(answer), ["hookSpecificOutput"]);
  assert.deepEqual(Object.keys(answer.hookSpecificOutput), ["hookEventName", "additionalContext"]);
  assert.equal(answer.hookSpecificOutput.hookEventName, "PreToolUse");
  assert.match(
    answer.hookSpecificOutput.additionalContext,
    /^\[Portolan\] \d symbols? related to this search, .*\n<repository-data>\naddTax \(src\/tax\.ts:4\)\n {2}Called by: Cart\.total\n {2}Calls: round\n {2}Flows: .+ \(step \d\/\d\)\n[\s\S]*\n<\/repository-data>$/,
  );
});

test("Glob and Bash", () => {
  for (const [tool_name, tool_input, name] of [
    ["Glob", { pattern: "**/*cart*.ts" }, "Cart"],
    ["Bash", { command: "cd src && git grep -nE 'add(Tax|Line)\\b' -- '*.ts' | head -5" }, "addTax"],
    ["Bash", { command: 'rg --type ts -A3 "class\\s+Cart" src' }, "Cart"],
    ["Grep", { pattern: "Cart\\.total" }, "Cart.total"],
  ]) {
    const { hookSpecificOutput } = hook({ tool_name, tool_input });
    assert.match(
      hookSpecificOutput.additionalContext,
      new RegExp(`\\n${name.replace(".", "\\.")} \\(`),
      JSON.stringify(tool_input),
    );
  }
});

test("silence where there is nothing to say", () => {
  const grep = (pattern) => ({ tool_name: "Grep", tool_input: { pattern } });
  for (const event of [
    grep("ad"),
    grep("   "),
    grep("zzqqxxnothere"),
    grep("^\\s*$"),
    grep("return"),
    { tool_name: "Read", tool_input: { file_path: "src/tax.ts" } },
    { tool_name: "Bash", tool_input: { command: "npm test" } },
  ]) {
    assert.equal(hook(event), "", JSON.stringify(event));
  }
  assert.equal(hook(grep("addTax"), bare), "", "no index");
  assert.equal(hook(grep("addTax"), "/nowhere/at/all"), "", "no folder");
  assert.equal(hook({ hook_event_name: "PostToolUse", ...grep("addTax") }), "", "another event");
});

test("an index that is damaged, foreign or empty is silence", () => {
  const bytes = readFileSync(join(shop, ".portolan/index.portolan"));
  const folder = folderWith({ "a.ts": "" });
  mkdirSync(join(folder, ".portolan"));
  const answerOver = (content) => {
    const place = join(folder, ".portolan/index.portolan");
    writeFileSync(place, content);
    assert.ok(bindIndex(place), "as if it had been made here: else nothing of it is read");
    return hook({ tool_name: "Grep", tool_input: { pattern: "addTax" } }, folder);
  };
  for (const content of [bytes.subarray(0, bytes.length >> 1), "", "not an index", bytes.subarray(0, 70)])
    assert.equal(answerOver(content), "");
  // Sections that the answer does not need are not read; those that it needs are compared with their checksums.
  const whole = JSON.stringify(answerOver(bytes));
  assert.match(whole, /addTax/);
  let n_silent = 0;
  for (let part = 0; part < 16; part++) {
    const flipped = Buffer.from(bytes);
    flipped[Math.floor(((part + 0.5) * flipped.length) / 16)] ^= 255;
    const answer = answerOver(flipped);
    if (answer === "") n_silent++;
    else assert.equal(JSON.stringify(answer), whole);
  }
  assert.ok(n_silent > 0);
});

test("garbage on stdin is silence", () => {
  const random = numbers(7);
  const bytes = (n) => Buffer.from(Array.from({ length: n }, () => Math.floor(random() * 256)));
  const event = JSON.stringify({
    hook_event_name: "PreToolUse",
    tool_name: "Grep",
    tool_input: { pattern: "zzqqxxnothere" },
    cwd: shop,
  });
  const inputs = [
    "",
    "\0",
    "null",
    "7",
    "[]",
    "{}",
    '"x"',
    "{",
    event.slice(0, 40),
    `${event}${event}`,
    bytes(1),
    bytes(100),
    bytes(70_000),
    `{"tool_name":${"[".repeat(50_000)}`,
    "a".repeat(2_000_000),
  ];
  for (const wrong of [
    null,
    7,
    "x",
    [],
    {},
    { pattern: 7 },
    { pattern: null },
    { command: {} },
    { pattern: "x".repeat(100_000) },
    { pattern: "\ud800\u0000🤖" },
  ]) {
    for (const tool_name of ["Grep", "Bash", 7])
      inputs.push(
        JSON.stringify({
          hook_event_name: "PreToolUse",
          tool_name,
          tool_input: wrong,
          cwd: tool_name === 7 ? 7 : shop,
        }),
      );
  }
  for (const input of inputs) assert.equal(hook(input), "", String(input).slice(0, 80));
});

test("stdin that is closed, stdout that nobody reads", () => {
  const event = JSON.stringify({
    hook_event_name: "PreToolUse",
    tool_name: "Grep",
    tool_input: { pattern: "addTax" },
    cwd: shop,
  });
  for (const line of [
    `'${process.execPath}' '${BIN}' hook <&-`,
    `echo '${event}' | { '${process.execPath}' '${BIN}' hook; echo $? >&2; } | true`,
    `'${process.execPath}' '${BIN}' hook </`,
  ]) {
    const { stdout, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8" });
    assert.equal(stdout, "");
    assert.match(stderr, /^(0\n)?$/);
  }
});

test("portolan augment", () => {
  const run = (...args) =>
    spawnSync(process.execPath, [BIN, "augment", ...args], { encoding: "utf8", cwd: join(shop, "src") });
  const { status, stdout } = run("addTax");
  assert.equal(status, 0);
  assert.match(stdout, /^\[Portolan\] .*\n<repository-data>\naddTax \(src\/tax\.ts:4\)\n {2}Called by: Cart\.total\n/);
  assert.deepEqual([run("ad").stdout, run("").stdout, run().stdout, run("zzqqxxnothere").stdout], ["", "", "", ""]);
});

test("what Bash commands search for", () => {
  const check = (command, want) => assert.equal(patternOfCall("Bash", { command }), want, command);
  check("rg validateUser", "validateUser");
  check("rg -n --hidden -g '!*.md' -t ts 'validate User' src/", "validate User");
  check("rg -tts -A3 -uu validateUser", "validateUser");
  check("rg --glob=*.ts --max-count 3 --no-ignore validateUser .", "validateUser");
  check("rg -e validateUser -e checkUser src", "validateUser|checkUser");
  check("rg --regexp=validateUser", "validateUser");
  check("rg -F -- '-dashed-name' .", "-dashed-name");
  check('grep -rn "validate\\"User" .', 'validate"User');
  check("grep -rnA3 --include='*.ts' --exclude-dir node_modules -i validateUser src", "validateUser");
  check("grep -C 5 -m1 -E 'foo|bar' file", "foo|bar");
  check("/usr/bin/grep -r foobar", "foobar");
  check("git grep -n foobar -- src", "foobar");
  check("git -C sub --no-pager grep -n -e foobar", "foobar");
  check("git log --grep=foobar", undefined);
  check("cat a.txt | grep -v foobar | head", "foobar");
  check("cd src && FOO=1 sudo -E nice -n 5 rg foobar 2>/dev/null | sort > out.txt", "foobar");
  check("if rg -q foobar; then echo yes; fi", "foobar");
  check("find . -name '*.ts' | xargs grep -l foobar", "foobar");
  check("find . -type f -exec grep -l foobar {} \\;", "foobar");
  check("find src -iname '*auth*.ts'", "auth");
  check("rg --files -g '*auth*'", "auth");
  check("rg --files | rg -i session", "session");
  check("echo $(rg -l foobar src)", "foobar");
  check("bash -lc \"cd x; rg 'foo bar' .\"", "foo bar");
  check("timeout 10 rg foobar", "foobar");
  check("rg foo\\ bar", "foo bar");
  check("rg \\\n  -n \\\n  foobar # and a comment", "foobar");
  check("grep -f patterns.txt file", undefined);
  check("rg", undefined);
  check("rg -n", undefined);
  check("rg ab", undefined);
  check("echo 'rg foobar'", undefined);
  check("ls -la; npm run grep", undefined);
});

test("names in globs and in regular expressions", () => {
  const glob = (pattern, want) => assert.equal(patternOfCall("Glob", { pattern }), want, pattern);
  glob("src/**/*auth*.ts", "auth");
  glob("**/UserCard.{ts,tsx}", "UserCard");
  glob("packages/billing/src/**/invoice-*.test.ts", "billing invoice");
  glob("**/*.ts", undefined);
  glob("src/**", undefined);
  const names = (pattern, qualified, words) => assert.deepEqual(namesOf(pattern), { qualified, words }, pattern);
  names("validateUser", [], ["validateUser"]);
  names("(?i)function\\s+validate\\w+\\(", [], ["validate"]);
  names("Router\\.add\\b", ["Router.add"], ["Router", "add"]);
  names("fmt::format", ["fmt::format"], ["fmt", "format"]);
  names("User.*Service|[A-Z]\\w{3,}Repo", [], ["User", "Service", "Repo"]);
  names("get_x\\|set_x", [], ["get_x", "set_x"]);
  names("add(Tax|Line)\\b", [], ["addTax", "addLine"]);
  names("größe", [], ["größe"]);
});

test("patterns of random calls are found or not, never a fault", () => {
  const random = numbers(1);
  const parts = [
    "rg",
    "grep",
    "git",
    "find",
    "-e",
    "-A3",
    "--",
    "--glob",
    "=",
    "'",
    '"',
    "\\",
    "|",
    "&&",
    "$(",
    ")",
    "`",
    "<",
    ">",
    "\n",
    "#",
    " ",
    "foo",
    "Bar.baz",
    "(?",
    "[",
    "]",
    "{",
    "}",
    "*",
    "**/",
    "é",
    "\u0000",
    "\ud800",
    "-exec",
    "bash",
    "-c",
    "xargs",
    "__proto__",
    "constructor",
  ];
  for (let round = 0; round < 4000; round++) {
    const text = Array.from(
      { length: 1 + Math.floor(random() * 20) },
      () => parts[Math.floor(random() * parts.length)],
    ).join(random() < 0.5 ? " " : "");
    for (const [tool, input] of [
      ["Bash", { command: text }],
      ["Grep", { pattern: text }],
      ["Glob", { pattern: text }],
    ]) {
      const pattern = patternOfCall(tool, input);
      assert.ok(pattern === undefined || pattern.length >= 3);
      if (pattern !== undefined) namesOf(pattern);
    }
  }
  const started = performance.now();
  for (const piece of ["(", "[a", "\\", "'", "-e a ", "$(", "{1,", "(?"]) {
    namesOf(piece.repeat(2000));
    patternOfCall("Bash", { command: `rg ${piece.repeat(2000)}` });
  }
  assert.ok(performance.now() - started < 5000, "linear enough");
});

/** Numbers from 0 to 1 that are the same in every run. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
