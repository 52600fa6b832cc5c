// portolan.toml, PORTOLAN_… and options, in rising order; faults say file, line, key and what to do.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { COMMAND_LIST, optionsOf } from "../dist/commands/command-list.js";
import { concerns, SETTINGS } from "../dist/config/settings.js";
import { lineOf } from "../dist/config/settings-file.js";
import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const root = folderWith(SHOP);
process.env.XDG_CONFIG_HOME = folderWith({});

function portolan(args, { cwd = root, env = {} } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { code: status, stdout, stderr };
}

const settings = (text) => writeFileSync(join(root, "portolan.toml"), text);
const hits = (outcome) => JSON.parse(outcome.stdout).hits.length;

before(() => {
  mkdirSync(join(root, ".git"));
  const { code, stderr } = portolan(["index", "--no-embeddings", "--quiet"]);
  assert.equal(code, 0, stderr);
});

test("every setting is an option of a command", () => {
  for (const setting of SETTINGS) {
    const commands = COMMAND_LIST.filter((command) => concerns(setting, command));
    assert.ok(commands.length > 0, setting.key);
    for (const command of commands)
      assert.ok(
        optionsOf(command).includes(setting.option),
        `${setting.key}: ${command.name} has no --${setting.option}`,
      );
  }
});

test("the file is under the environment, and that under options", () => {
  settings("[search]\nlimit = 3\n");
  assert.equal(hits(portolan(["search", "total", "--json"])), 3);
  assert.equal(
    hits(portolan(["search", "total", "--json"], { cwd: join(root, "src") })),
    3,
    "from a folder below, too",
  );
  assert.equal(hits(portolan(["search", "total", "--json"], { env: { PORTOLAN_SEARCH_LIMIT: "2" } })), 2);
  assert.equal(
    hits(portolan(["search", "total", "--json", "--limit", "1"], { env: { PORTOLAN_SEARCH_LIMIT: "2" } })),
    1,
  );
  const { settings: rows } = JSON.parse(
    portolan(["config", "--json", "--workers", "2"], { env: { PORTOLAN_MAP_TOKENS: "64" } }).stdout,
  );
  const row = (key) => rows.find((setting) => setting.key === key);
  assert.deepEqual([row("search.limit").value, row("search.limit").source], [3, "portolan.toml:2"]);
  assert.deepEqual([row("map.tokens").value, row("map.tokens").source], [64, "PORTOLAN_MAP_TOKENS"]);
  assert.deepEqual([row("index.workers").value, row("index.workers").source], ["2", "--workers"]);
  assert.deepEqual(
    [row("chunks.max_size").value, row("chunks.max_size").source, row("chunks.max_size").default],
    [null, "standard", "1200"],
  );
  assert.match(portolan(["config"]).stdout, /^settings of portolan\.toml\n(.*\n)*search\.limit +3 +portolan\.toml:2/);
});

test("an archive has the settings of the folder that it lies in", () => {
  settings("[index]\nembeddings = false\n");
  const archive = join(root, "shop.tar.gz");
  spawnSync("tar", ["-czf", archive, "-C", root, "src"]);
  const { code, stderr } = portolan(["index", archive, "-o", join(root, "shop.portolan"), "--quiet"]);
  assert.equal(code, 0, stderr);
  const status = portolan(["status", "--index", join(root, "shop.portolan"), "--json"]);
  assert.equal(JSON.parse(status.stdout).n_vectors, 0, status.stdout);
  rmSync(archive);
});

test("weights of the ranking, models, and the pause of watching", () => {
  const weights = '[search.weights]\ntest_penalty = 0.5\n"conceptual.vector_share" = 0.6\nsymbol.stem_terms = 0\n';
  const scores = (outcome) => {
    assert.equal(outcome.code, 0, outcome.stderr);
    return JSON.parse(outcome.stdout).hits.map(({ path, score }) => [path, score]);
  };
  settings("");
  const usual = scores(portolan(["search", "total", "--json"]));
  const other = scores(portolan(["search", "total", "--json", "--weight", "definition=0", "--weight", "stem_terms=5"]));
  assert.notDeepEqual(other, usual);
  settings("[search.weights]\ndefinition = 0\nstem_terms = 5\n");
  assert.deepEqual(scores(portolan(["search", "total", "--json"])), other, "the file is as the options");
  assert.deepEqual(
    scores(
      portolan(["search", "total", "--json"], {
        env: { PORTOLAN_SEARCH_WEIGHTS: "definition=0,stem_terms=5" },
        cwd: join(root, "src"),
      }),
    ),
    other,
  );
  settings(
    `[index]\nmodel = "models/own"\n[watch]\ndebounce = 250\n[search]\nrerank = "models/cross"\nrerank_top = 5\n${weights}`,
  );
  const trusted = portolan(["trust", "--yes"]);
  assert.equal(trusted.code, 0, trusted.stderr);
  const { settings: rows } = JSON.parse(portolan(["config", "--json"]).stdout);
  const value = (key) => rows.find((setting) => setting.key === key).value;
  assert.deepEqual(
    [value("index.model"), value("search.rerank"), value("search.rerank_top"), value("watch.debounce")],
    [join(root, "models/own"), join(root, "models/cross"), 5, 250],
  );
  assert.deepEqual(value("search.weights"), {
    test_penalty: 0.5,
    "conceptual.vector_share": 0.6,
    "symbol.stem_terms": 0,
  });
  assert.match(portolan(["config"]).stdout, /search\.weights +test_penalty=0\.5, conceptual\.vector_share=0\.6/);
  for (const [text, args, message] of [
    ['[search.weights]\ntest_penalty = "low"\n', [], /portolan\.toml:1: search\.weights: expected numbers by name/],
    ["", ["--weight", "test_penalty"], /--weight: expected NAME=NUMBER, not "test_penalty"/],
    ["", ["--weight", "no_such=1"], /there is no weight "no_such" \[query\.invalid\]/],
  ]) {
    settings(text);
    const { code, stderr } = portolan(["search", "total", ...args]);
    assert.ok(code !== 0 && message.test(stderr), stderr);
  }
  settings("");
});

test("what becomes part of an index", () => {
  settings('[index]\nexclude = ["*.java"]\nlanguages = ["typescript", "java", "markdown"]\nembeddings = false\n');
  const list = (...more) => {
    const target = join(root, "../set.portolan");
    const outcome = portolan(["index", "-o", target, ...more]);
    assert.equal(outcome.code, 0, outcome.stderr);
    return JSON.parse(portolan(["files", "--json", "--index", target]).stdout).files.map(({ path }) => path);
  };
  const taken = list();
  assert.ok(taken.includes("src/tax.ts") && taken.includes("README.md"));
  assert.ok(
    taken.every((path) => /\.(ts|md)$/.test(path)),
    taken.join(" "),
  );
  assert.deepEqual(list("--include", "src/tax.ts"), ["src/tax.ts"]);
  settings('[index]\npaths = ["src"]\nembeddings = false\nmax_files = 1\n');
  assert.equal(list().length, 1);
  settings("");
  const wrong = portolan(["index", "--only-language", "klingon", "--no-embeddings"]);
  assert.deepEqual([wrong.code, wrong.stdout], [1, ""]);
  assert.match(wrong.stderr, /no language "klingon" \[language\.unknown\]/);
});

test("a fault says where it is and what to do", () => {
  for (const [text, message] of [
    ['[index]\nworkers = "many"\n', /portolan\.toml:2: index\.workers: expected a whole number from 1 on, not "many"/],
    [
      "\n[index]\nexclud = ['x']\n",
      /portolan\.toml:3: index\.exclud: there is no such setting; did you mean "index\.exclude"\?/,
    ],
    ["limit = 3\n", /portolan\.toml:1: limit: this key belongs under a table/],
    ["[search]\nlimit = = 3\n", /portolan\.toml:2: this is no TOML/],
    [
      '[index]\nfile = "../../elsewhere"\n',
      /portolan\.toml:2: index\.file: \S+ lies outside of .*; give it as an option/,
    ],
    [
      '[search]\nmode = "psychic"\n',
      /portolan\.toml:2: search\.mode: expected one of auto, lexical, vector, hybrid, not "psychic"/,
    ],
    ['[grammars.r]\nfile = "r.wasm"\n', /portolan\.toml:1: grammars\.r: expected queries = "FOLDER"/],
  ]) {
    settings(text);
    const outcome = portolan(["status"]);
    assert.deepEqual([outcome.code, outcome.stdout], [2, ""], text);
    assert.match(outcome.stderr, message);
    assert.match(outcome.stderr, /`portolan config` lists all settings/);
  }
  settings("");
  assert.match(
    portolan(["status"], { env: { PORTOLAN_ANSWERS_DEPTH: "deep" } }).stderr,
    /PORTOLAN_ANSWERS_DEPTH: expected a whole number from 1 on, not "deep"/,
  );
  assert.match(portolan(["status", "--config", "gone.toml"]).stderr, /the settings cannot be read: .*gone\.toml/);
});

test("the line of a key, however its table is written", () => {
  const text = '# settings\n[index]\nworkers = 2\n\n[search]\nlimit = 3\n[grammars.r]\nfile = "x"\n';
  assert.deepEqual(
    ["index.workers", "search.limit", "grammars.r", "index"].map((key) => lineOf(text, key)),
    [3, 6, 7, 2],
  );
  assert.equal(lineOf("index.workers = 2\n", "index.workers"), 1);
});
