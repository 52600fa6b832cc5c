// A repository's settings: pure data take effect; settings that load, read or write files take effect once the user has trusted exactly these values.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { readInflated } from "../../pkg/dist/node/regular-file.js";
import { BODY, grammarFile } from "./grammar-files.mjs";
import { ours } from "./own-processes.mjs";
import { sandbox } from "./sandbox.mjs";
import { askedAgain, watched } from "./watch.mjs";

const SOURCES = { "repo/.git/": "", "repo/a.py": "def add_tax():\n    pass\n", "repo/b.x": "hello\n" };
/** Every key that loads, reads or writes. */
const GREEDY = `[index]
file = "kept/index.portolan"
model = "model"
scip = ["bomb.gz", "/dev/zero"]
workers = 100000
max_files = 4000000000

[search]
limit = 1
rerank = "model"

[grammars.x]
file = "x.wasm"
queries = "queries"
extensions = ["x"]

[output]
quiet = true
`;
const GREEDY_FILES = {
  ...SOURCES,
  "repo/portolan.toml": GREEDY,
  "repo/x.wasm": grammarFile({ start: BODY.loop }),
  "repo/queries/symbols.scm": "",
  "repo/bomb.gz": gzipSync(Buffer.alloc(1024)),
  "repo/model/model.onnx": "no model",
  "repo/model/tokenizer.json": "{}",
};
const WANTS_TRUST = ["index.file", "index.model", "index.scip", "index.workers", "index.max_files", "grammars.x"];

/** Returns the server's answer to a search in `repo`, without the server around it. */
async function mcpSearch(box) {
  const code = `
    import { sizedAnswer } from ${JSON.stringify(new URL("../../pkg/dist/mcp/sized.js", import.meta.url).href)};
    import { NodeHost } from ${JSON.stringify(new URL("../../pkg/dist/mcp/node-host.js", import.meta.url).href)};
    const host = new NodeHost({ version: "1", cwd: process.cwd() });
    const going = { signal: new AbortController().signal, onProgress() {} };
    const { answer, text } = await sizedAnswer({ tool: "search", args: { query: "add_tax" }, host, going });
    console.log(JSON.stringify({ answer, text }));
    host.close();`;
  const { stdout, stderr } = await box.node(["--input-type=module", "-e", code]);
  assert.notEqual(stdout, "", stderr);
  return JSON.parse(stdout);
}

test("nothing that a repository's settings name is loaded, read or written; the rest holds, and the answer says so", async (t) => {
  const box = sandbox(GREEDY_FILES, t);
  await watched(box, async () => {
    const { code, stderr } = await box.portolan(["index", "--no-embeddings"], { limit_ms: 60_000 });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /\[settings\.untrusted\]/, "though the file asks for quiet");
    for (const key of WANTS_TRUST)
      assert.match(stderr, new RegExp(`${key.replace(".", "\\.")} \\(portolan\\.toml:\\d+\\)`));
    const found = await box.portolan(["search", "add_tax", "--json"]);
    assert.match(found.stderr, /settings left out: index\.model .*search\.rerank/);
    assert.equal(JSON.parse(found.stdout).hits.length, 1, "search.limit = 1 is data");
    const { answer, text } = await mcpSearch(box);
    assert.match(answer.settings_left_out, /index\.model .*search\.rerank .*grammars\.x/);
    assert.equal(answer.hits.length, 1);
    assert.match(text, /Note: settings left out: /);
  });
});

test("trust is given for values and files as they are, and kept where only the user writes", async (t) => {
  const settings = '[index]\nfile = "kept/index.portolan"\nscip = ["facts.scip"]\n';
  const scip = "\x12\x06\n\x04a.py"; // one document, a.py, without occurrences
  const box = sandbox({ ...SOURCES, "repo/portolan.toml": settings, "repo/facts.scip": scip }, t);
  const own = ["repo/portolan.toml", "repo/*.scip"]; // what the test itself writes
  const allow = [...own, "repo/kept/**", ...box.allow];
  await watched(box, { allow }, async () => {
    const unasked = await box.portolan(["trust"]);
    assert.deepEqual([unasked.code, unasked.stdout], [1, ""]);
    assert.match(unasked.stderr, /index\.scip = .*\n.*facts\.scip {2}0\.000 MB {2}sha256 84edb2fc/);
    assert.match(unasked.stderr, /\[trust\.unasked\]/);
    const indexed = (args = []) => box.portolan(["index", "--no-embeddings", ...args]);
    const heeded = ({ code, stderr }) => code === 0 && !/settings\.untrusted/.test(stderr);
    assert.match((await indexed()).stderr, /index\.file .*index\.scip .*is not trusted/);
    assert.equal((await box.portolan(["trust", "--yes"])).code, 0);
    const after = await indexed(["--json"]);
    assert.ok(heeded(after), after.stderr);
    assert.equal(JSON.parse(after.stdout).index, box.path("repo/kept/index.portolan"));
    const modes = ["", "trusted", `trusted/${readdirSync(box.path("home/.config/portolan/trusted"))[0]}`];
    const modesOf = modes.map((name) => (statSync(box.path("home/.config/portolan", name)).mode & 0o777).toString(8));
    assert.deepEqual(modesOf, ["700", "700", "600"]);
    assert.match((await box.portolan(["trust", "--list"])).stdout, /repo\/portolan\.toml {2}index\.file, index\.scip/);

    box.put({ "repo/facts.scip": "\n" });
    assert.match((await indexed()).stderr, /was changed since it was trusted/);
    box.put({ "repo/facts.scip": scip });
    assert.ok(heeded(await indexed()), "the same bytes again");
    box.put({ "repo/portolan.toml": `${settings}[search]\nlimit = 3\n` });
    assert.ok(heeded(await indexed()), "what is only data may change");
    box.put({ "repo/portolan.toml": settings.replace("facts.scip", "other.scip"), "repo/other.scip": scip });
    assert.match((await indexed()).stderr, /was changed since/);
    box.put({ "repo/portolan.toml": settings });
    assert.equal((await box.portolan(["trust", "--revoke"])).code, 0);
    assert.match((await indexed()).stderr, /is not trusted/);
  });
});

test("files that appear in a trusted folder, and links in the place of trusted files, ask again", async (t) => {
  const settings = '[index]\nmodel = "model"\n';
  const box = sandbox(
    { ...SOURCES, "repo/portolan.toml": settings, "repo/model/tokenizer.json": "{}", "outside/m": "{}" },
    t,
  );
  const allow = ["repo/model/**", ...box.allow];
  await watched(box, { allow }, async () => {
    assert.equal((await box.portolan(["trust", "--yes"])).code, 0);
    const told = async () => (await box.portolan(["search", "x"])).stderr;
    assert.doesNotMatch(await told(), /settings\.untrusted/);
    box.put({ "repo/model/model.onnx": "new" });
    assert.match(await told(), /changed since/);
    rmSync(box.path("repo/model/model.onnx"));
    rmSync(box.path("repo/model/tokenizer.json"));
    box.link("repo/model/tokenizer.json", "outside/m");
    assert.match(await told(), /changed since/, "the same bytes, elsewhere");
  });
});

test("settings above the repository are not read, nor those that others can write", async (t) => {
  const settings = "[search]\nlimit = 7\n";
  const box = sandbox(
    { ...SOURCES, "portolan.toml": settings, "open/portolan.toml": settings, "open/mine/a.py": "x = 1\n" },
    t,
  );
  chmodSync(box.path("open"), 0o777);
  const limit = async (cwd) => {
    const { settings, file } = await box.json(["config"], { cwd });
    return [settings.find(({ key }) => key === "search.limit").value, file];
  };
  await watched(box, async () => {
    assert.deepEqual(await limit("repo"), [null, null]);
    assert.deepEqual(await limit("open/mine"), [null, null]);
    assert.deepEqual(await limit("open"), [7, box.path("open/portolan.toml")]);
  });
});

test("settings of the user's own folder hold for all repositories, under those of the repository", async (t) => {
  const box = sandbox(
    {
      ...SOURCES,
      "home/.config/portolan/portolan.toml": "[search]\nlimit = 7\n[map]\ntokens = 99\n",
      "repo/portolan.toml": "[search]\nlimit = 3\n",
    },
    t,
  );
  const { settings } = await watched(box, () => box.json(["config"]));
  const value = (key) => settings.find((one) => one.key === key).value;
  assert.deepEqual([value("search.limit"), value("map.tokens")], [3, 99]);
});

const TEXTS = {
  "names of 60,000 parts": `[search.weights]\n${"a.".repeat(30_000)}a = 1\n`,
  "a table of 3,000 parts": `[${"a.".repeat(3000)}a]\nx = 1\n`,
  "parts hidden behind strings": `[search.weights]\nx = ['"', {${'"a".'.repeat(3000)}a = 1}]\n`,
  "strings of several lines": `[index]\nname = """\n${"a.".repeat(3000)}"""\n`,
  "20,000 brackets": `x = ${"[".repeat(20_000)}${"]".repeat(20_000)}\n`,
  "a megabyte": `# ${"x".repeat(1024 * 1024)}\n`,
  "numbers beyond all": "[index]\nmax_files = 99999999999999999999999\n",
  "names of prototypes": "[__proto__]\npolluted = 1\n",
};

test("settings that are hard to read are an error, soon", async (t) => {
  const box = sandbox(SOURCES, t);
  for (const [what, text] of Object.entries(TEXTS)) {
    box.put({ "repo/portolan.toml": text });
    await watched(box, async () => {
      const { code, stderr } = await box.portolan(["status"], { limit_ms: 30_000 });
      assert.equal(code, 2, `${what}: ${stderr}`);
      assert.match(stderr, /portolan\.toml|settings cannot be read/, what);
      assert.doesNotMatch(stderr, / at .*\.js:\d+/, what);
    });
  }
  rmSync(box.path("repo/portolan.toml"));
  await askedAgain(
    () => box.json(["index", "--no-embeddings"]),
    ({ n_files }) => n_files === 2,
  );
});

test("a settings file that is a link, a pipe or a device is not read", async (t) => {
  const box = sandbox({ ...SOURCES, "outside/secret": "password = 1\n" }, t);
  const place = box.path("repo/portolan.toml");
  for (const make of [
    () => symlinkSync(box.path("outside/secret"), place),
    () => symlinkSync("/dev/zero", place),
    () => ours(() => execFileSync("mkfifo", [place])),
  ]) {
    make();
    const { code, stderr } = await watched(box, () => box.portolan(["status"], { limit_ms: 30_000 }));
    assert.equal(code, 2, stderr);
    assert.match(stderr, /a link or no regular file/);
    assert.doesNotMatch(stderr, /password/);
    rmSync(place);
  }
});

test("files that options name are regular, and inflated in constant memory", async (t) => {
  const box = sandbox(SOURCES, t);
  writeFileSync(box.path("tmp/bomb.gz"), gzipSync(Buffer.alloc(600 * 1024 * 1024), { level: 9 }));
  ours(() => execFileSync("mkfifo", [box.path("tmp/pipe")]));
  mkdirSync(box.path("tmp/model"));
  symlinkSync(box.path("tmp/pipe"), box.path("tmp/model/model.onnx"));
  const before = process.memoryUsage().rss;
  let most = before;
  const look = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  await assert.rejects(readInflated(box.path("tmp/bomb.gz"), 512 * 1024 * 1024), {
    code: "input.unreadable",
    message: /unpacks to more than 537 MB/,
  });
  clearInterval(look);
  assert.ok(most - before < 150e6, `${(most - before) / 1e6} MB`);
  await watched(box, async () => {
    for (const args of [
      ["--scip", box.path("tmp/bomb.gz")],
      ["--scip", "/dev/zero"],
      ["--scip", box.path("tmp/pipe")],
      ["--model", box.path("tmp/model")],
      ["--grammar", box.path("tmp/pipe"), "--queries", box.path("tmp"), "--extensions", "x"],
    ]) {
      const { code, stderr } = await box.portolan(["index", ...args], { limit_ms: 60_000 });
      assert.deepEqual(
        [code, /\[input\.(?:unreadable|not-a-file)\]/.test(stderr)],
        [1, true],
        `${args.join(" ")}: ${stderr}`,
      );
    }
  });
});

test("a home inside of the repository, with trust of its own, trusts nothing", async (t) => {
  const box = sandbox(
    { ...SOURCES, "repo/portolan.toml": '[index]\nscip = ["facts.scip"]\n', "repo/facts.scip": "" },
    t,
  );
  const record = {
    settings: box.path("repo/portolan.toml"),
    keys: [["index.scip", [box.path("repo/facts.scip")]]],
    files: [
      {
        path: box.path("repo/facts.scip"),
        real: box.path("repo/facts.scip"),
        sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        identity: "",
      },
    ],
    at: "2026-01-01T00:00:00Z",
  };
  const { nameFor } = await import("../../pkg/dist/node/user-folder.js");
  const name = `trusted/${nameFor(record.settings)}.json`;
  const put = (folder) => {
    box.put({ [`${folder}/portolan/${name}`]: JSON.stringify(record) });
    chmodSync(box.path(folder, "portolan", name), 0o600);
  };
  const told = async (env) =>
    (await box.portolan(["index", "--no-embeddings"], { env: { PORTOLAN_HOME: "", ...env } })).stderr;
  put("home/.config");
  assert.doesNotMatch(
    await told({}),
    /settings\.untrusted/,
    "the record is right: in the user's folder it would count",
  );
  rmSync(box.path("home/.config"), { recursive: true });
  put("repo/.config");
  await watched(box, async () => {
    assert.match(await told({ HOME: box.path("repo"), USERPROFILE: box.path("repo") }), /is not trusted/);
    assert.match(await told({ XDG_CONFIG_HOME: ".config" }), /is not trusted/, "a relative folder is none");
  });
  // Records that others could have written do not count either.
  put("home/.config");
  chmodSync(box.path("home/.config/portolan", name), 0o666);
  assert.match(await told({}), /is not trusted/);
});

test("what is shown for a decision cannot be dressed up", async (t) => {
  const name = "good\u202Egpj.exe\u001B[2K\u200B.scip";
  const settings = `[index]\nscip = ["good\\u202Egpj.exe\\u001B[2K\\u200B.scip"]\n`;
  const box = sandbox({ ...SOURCES, "repo/portolan.toml": settings, [`repo/${name}`]: "" }, t);
  const { stderr } = await watched(box, () => box.portolan(["trust"]));
  assert.match(stderr, /good\\u202egpj\.exe\\u001b\[2K\\u200b\.scip/);
  for (const letter of ["\u001B", "\u202E", "\u200B"])
    assert.ok(!stderr.includes(letter), `there is a ${letter.charCodeAt(0)}`);
});
