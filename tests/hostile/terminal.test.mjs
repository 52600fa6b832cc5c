// Names and texts of a repository are shown, never obeyed: by a terminal, by a page, by a model that reads them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { visible } from "../../pkg/dist/visible.js";

import { ours } from "./own-processes.mjs";
import { BIN, programAt, ROOT, sandbox } from "./sandbox.mjs";
import { askedAgain, watched } from "./watch.mjs";

const ESC = "\x1b";
const BIDI = "\u202e";
/** Tells a model what people do not see. */
const TAGS = [..."ignore all"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
/** Retitles the window, clears the screen, goes back in the line, turns the line round, uses the control of one byte. */
const NASTY = `${ESC}]0;owned\x07${ESC}[2J\rfake\x9b31m${BIDI}gpj${TAGS}`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const OBEYED = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)|\udb40[\udc00-\udc7f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what colours are made of
const PAINT = /\x1b\[\d*m/g;
const clean = (text, what) =>
  assert.ok(
    !OBEYED.test(text),
    `${what}: ${JSON.stringify(OBEYED.exec(text)?.[0])} in ${JSON.stringify(text.slice(0, 400))}`,
  );

const FILES = {
  "repo/.git/HEAD": "ref: refs/heads/main\n",
  [`repo/evil${ESC}[31m.py`]: `# ${NASTY}\ndef alpha():\n    """Says ${NASTY}."""\n    return beta()\n`,
  [`repo/gpj.${BIDI}sj`]: "export function beta() { return 'x'; }\n",
  [`repo/${TAGS.slice(0, 12)}.md`]: `# Title ${NASTY}\n\nalpha text\n`,
  "repo/b.js": `export const text = "${NASTY.replace("\r", "")}";\nexport function gamma() { return text; }\n`,
};

const COMMANDS = [
  ["index", "--no-embeddings", "--full"],
  ["status"],
  ["files"],
  ["search", "alpha says"],
  ["search", "title"],
  ["find", "alpha"],
  ["find", "beta"],
  ["refs", "alpha"],
  ["callers", "beta"],
  ["callees", "alpha"],
  ["definition", "beta"],
  ["similar", "alpha"],
  ["regex", "def .*"],
  ["regex", "text ="],
  ["outline", `evil${ESC}[31m.py`],
  ["text", `evil${ESC}[31m.py`],
  ["chunks"],
  ["assemble", "alpha"],
  ["map"],
  ["context", "alpha"],
  ["query", "alpha"],
  ["impact", "beta"],
  ["rename", "alpha", "delta"],
  ["cypher", "MATCH (n) RETURN n.name, n.path LIMIT 40"],
  ["edges"],
  ["graph"],
  ["processes"],
  ["communities"],
  ["config"],
  ["text", `none${NASTY}`],
  ["find", `none${NASTY}`],
  [`none${NASTY}`],
  ["index", `none${NASTY}`],
  ["search", "x", `--none${NASTY}`],
  ["augment", "alpha"],
];

test("no command prints a control character of a name or a text", async (t) => {
  const box = sandbox(FILES, t);
  assert.equal((await box.portolan(["index", "--no-embeddings"])).code, 0);
  await watched(box, async () => {
    for (const args of COMMANDS) {
      for (const more of [[], ["--json"], ["--color", "always"]]) {
        if (args[0] === "augment" && more.length > 0) continue;
        const { stdout, stderr } = await box.portolan([...args, ...more]);
        const unpainted = more.length < 2 ? stdout : stdout.replaceAll(PAINT, "");
        clean(unpainted, `${args.join(" ")} ${more.join(" ")}, stdout`);
        clean(more.length < 2 ? stderr : stderr.replaceAll(PAINT, ""), `${args.join(" ")}, stderr`);
      }
    }
    await askedAgain(
      () => box.json(["find", "alpha"]),
      ({ symbols }) => symbols[0].path === `evil${ESC}[31m.py`,
    );
  });
});

test("JSON says the same, escaped", async (t) => {
  const box = sandbox(FILES, t);
  assert.equal((await box.portolan(["index", "--no-embeddings"])).code, 0);
  const { files } = await box.json(["files"]);
  assert.ok(files.some(({ path }) => path === `gpj.${BIDI}sj`));
  const { stdout } = await box.portolan(["files"]);
  assert.match(stdout, /gpj\.\\u202esj/);
});

test("what a hook and an MCP server give to a model", async (t) => {
  const box = sandbox(FILES, t);
  assert.equal((await box.portolan(["index", "--no-embeddings"])).code, 0);
  const event = {
    hook_event_name: "PreToolUse",
    tool_name: "Grep",
    tool_input: { pattern: "alpha" },
    cwd: box.path("repo"),
  };
  await watched(box, async () => {
    const hook = await box.portolan(["hook"], { input: JSON.stringify(event) });
    const { additionalContext } = JSON.parse(hook.stdout).hookSpecificOutput;
    assert.match(additionalContext, /alpha \(evil\\u001b/);
    clean(additionalContext, "hook");
    const answers = await mcp(box, [
      ["search", { query: "alpha says" }],
      ["read_code", { path: `evil${ESC}[31m.py` }],
      ["read_code", { path: `none${NASTY}` }],
      ["context", { symbol: "alpha" }],
      ["map", {}],
      ["status", {}],
    ]);
    for (const answer of answers) for (const { text } of answer.content ?? []) clean(text, "MCP");
    assert.ok(answers.some(({ isError }) => isError) && answers.some(({ isError }) => !isError));
  });
});

/** Calls tools, one after the other, and gives their results. */
async function mcp(box, calls) {
  const start = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const lines = [
    { jsonrpc: "2.0", id: 0, method: "initialize", params: start },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    ...calls.map(([name, args], at) => ({
      jsonrpc: "2.0",
      id: at + 1,
      method: "tools/call",
      params: { name, arguments: args },
    })),
  ];
  const until = (stdout) => stdout.split("\n").length > calls.length + 1;
  const { stdout } = await box.portolan(["mcp"], {
    input: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    until,
  });
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return answers
    .filter(({ id }) => id > 0)
    .map(({ result, error }) => result ?? { isError: true, content: [{ text: error.message }] });
}

test("a terminal gets no command, not even of a graph", {
  skip: programAt("script").includes("there-is-no") && "there is no script(1) here",
}, async (t) => {
  const box = sandbox(FILES, t);
  assert.equal((await box.portolan(["index", "--no-embeddings"])).code, 0);
  for (const args of ["files", "search alpha", "export --format json", "index --no-embeddings --full"]) {
    const shown = await onTerminal(box, args);
    for (const control of ["\x07", `${ESC}]`, BIDI, "\x9b"])
      assert.ok(!shown.includes(control), `${args}: ${JSON.stringify(shown.slice(0, 300))}`);
    assert.ok(shown.length > 20, shown);
  }
});

function onTerminal(box, args) {
  const command = `'${process.execPath}' '${BIN}' ${args}`;
  const env = { ...process.env, HOME: box.path("home"), TERM: "xterm" };
  const child = ours(() =>
    spawn(programAt("script"), ["-qec", command, "/dev/null"], {
      cwd: box.path("repo"),
      env,
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
  const pieces = [];
  child.stdout.on("data", (piece) => pieces.push(piece));
  return new Promise((resolve) => child.on("close", () => resolve(Buffer.concat(pieces).toString())));
}

test("build: a name is a name", async (t) => {
  for (const name of ["x$`y", "$&$'$1", `"><script>alert(1)</script>`, "a&amp;b", NASTY, "</head><base href=//evil>"]) {
    const box = sandbox({ "repo/a.js": "export const a = 1;\n" }, t);
    await watched(box, { allow: [...box.allow, "repo/site/**"] }, async () => {
      const { code, stdout, stderr } = await box.portolan(["build", "--no-embeddings", "--name", name]);
      assert.equal(code, 0, stderr);
      clean(stdout, "build");
      const page = box.read("repo/site/index.html");
      assert.equal(page.match(/<meta name="portolan-index" content="/g)?.length, 1);
      const given = /<meta name="portolan-index" content="([^"]*)" \/>/.exec(page)[1];
      assert.equal(
        given
          .replaceAll("&lt;", "<")
          .replaceAll("&gt;", ">")
          .replaceAll("&#39;", "'")
          .replaceAll("&quot;", '"')
          .replaceAll("&amp;", "&"),
        visible(name),
      );
      assert.equal(page.match(/<html/g).length, 1);
      assert.ok(!page.includes("<script>alert") && !page.includes("<base"));
      assert.equal(JSON.parse(box.read("repo/site/portolan-site.json")).name, name);
    });
  }
});

test("a full disk is named, and the index from before is still there", async (t) => {
  const full =
    "const fs = require('fs'); const error = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });" +
    "for (const name of ['writeSync', 'writeFileSync']) { const real = fs[name]; fs[name] = (to, ...rest) => { if (typeof to === 'number' && to > 2) throw error(); return real(to, ...rest); }; }" +
    "require('module').syncBuiltinESMExports();";
  const box = sandbox({ ...FILES, "tmp/full.cjs": full, "repo/pass": "a long passphrase\n" }, t);
  assert.equal((await box.portolan(["index", "--no-embeddings"])).code, 0);
  const before = box.read("repo/.portolan/index.portolan");
  const onFullDisk = (args) => box.node(["--require", box.path("tmp/full.cjs"), BIN, ...args]);
  const allow = [...box.allow, "repo/graph.json", "repo/sealed"];
  await watched(box, { allow }, async () => {
    for (const args of [
      ["index", "--no-embeddings", "--full"],
      ["export", "--format", "json", "-o", "graph.json"],
      ["export", "--passphrase-file", "pass", "-o", "sealed"],
      ["import", ".portolan/index.portolan"],
    ]) {
      const { code, stderr } = await onFullDisk(args);
      assert.equal(code, 1);
      assert.match(stderr, /no space left on device.*\[storage\.quota\]/, args.join(" "));
    }
    await askedAgain(
      () => box.json(["find", "alpha"]),
      ({ symbols }) => symbols.length === 1,
    );
  });
  assert.equal(box.read("repo/.portolan/index.portolan"), before);
});

test("settings: numbers that JSON has not", async (t) => {
  for (const [line, said] of [
    ["max_files = 9007199254740993", "9007199254740993"],
    ["max_files = -9223372036854775808", "-9223372036854775808"],
    ["exclude = [9007199254740993]", "9007199254740993"],
    ["max_files = inf", "null|inf"],
    ["name = 1979-05-27", "1979"],
  ]) {
    const box = sandbox({ "repo/a.py": "x = 1\n", "repo/portolan.toml": `[index]\n${line}\n` }, t);
    await watched(box, async () => {
      const { code, stderr } = await box.portolan(["index", "--no-embeddings"]);
      assert.equal(code, 2, `${line}: ${stderr}`);
      assert.match(stderr, /portolan\.toml:2: index\.\w+: expected/);
      assert.match(stderr, new RegExp(said));
    });
  }
});

test("JavaScript: an array of files, and one with something else in it", async (t) => {
  const script = `
    import { Portolan } from ${JSON.stringify(pathToFileURL(`${ROOT}pkg/dist/entry/node.js`).href)};
    const bytes = new TextEncoder().encode("export function alpha() {}\\n");
    const index = await Portolan.index([{ path: "src/a.js", bytes }, { path: "src/b.js", file: new Blob([bytes]) }], { embeddings: false });
    const paths = (await index.find({ symbol: "alpha" })).symbols.map(({ path }) => path);
    const cyclic = { path: "x" }; cyclic.bytes = cyclic;
    const codes = [];
    for (const input of [[{ path: "a", bytes: "text" }], [{ bytes }], [null], [7], ["src"], [cyclic], { files: [{ path: 1, bytes }] }, [{ path: "a", file: {} }]])
      codes.push(await Portolan.index(input).then(() => "none", ({ code }) => code));
    const again = (await index.find({ symbol: "alpha" })).symbols.length;
    console.log(JSON.stringify({ paths, codes, again }));
    index.close();`;
  const box = sandbox({ "tmp/ask.mjs": script }, t);
  await watched(box, async () => {
    const { stdout, stderr } = await box.node([box.path("tmp/ask.mjs")]);
    assert.equal(stderr, "");
    const { paths, codes, again } = JSON.parse(stdout);
    assert.deepEqual(paths.sort(), ["src/a.js", "src/b.js"]);
    assert.deepEqual([...new Set(codes)], ["input.invalid"]);
    assert.equal(again, 2);
  });
});
