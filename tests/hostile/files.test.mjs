// Files are written only where they belong, whatever links and files a repository contains.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, linkSync, lstatSync, statSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { ours } from "./own-processes.mjs";
import { ROOT, sandbox } from "./sandbox.mjs";
import { askedAgain, watched } from "./watch.mjs";

const SOURCES = {
  "repo/.git/HEAD": "ref: refs/heads/main\n",
  "repo/.git/config": "[core]\n\tbare = false\n",
  "repo/a.py": "def alpha():\n    return beta()\n\n\ndef beta():\n    return 1\n",
  "outside/precious": "gold\n",
  "outside/a.py": "def alpha():\n    return beta()\n\n\ndef beta():\n    return 1\n",
  "home/.npmrc": "registry=https://registry.example.org/\n",
};
const INDEX = ["index", "--no-embeddings"];
const fresh = (t, more = {}) => sandbox({ ...SOURCES, ...more }, t);
/** Refused with this code, and in words that name the place and what to do. */
const refused = ({ code, stderr }, error) => {
  assert.equal(code, 1, stderr);
  assert.match(stderr, new RegExp(`\\[${error.replace(".", "\\.")}\\]\n  \\w`), stderr);
};
const answers = (box, args = ["find", "alpha"]) =>
  askedAgain(
    () => box.json(args),
    ({ symbols }) => symbols[0]?.name === "alpha",
  );

test("index: .portolan/.gitignore is a link", async (t) => {
  for (const target of ["outside/precious", "outside/new", "repo/a.py"]) {
    const box = fresh(t, { "repo/.portolan/": "" }).link("repo/.portolan/.gitignore", target);
    await watched(box, async () => {
      const { code, stderr } = await box.portolan(INDEX);
      assert.equal(code, 0, stderr);
      await answers(box);
    });
  }
});

test("index: .portolan is a link", async (t) => {
  for (const target of ["outside", "repo/.git", "home", "outside/none"]) {
    const box = fresh(t).link("repo/.portolan", target);
    await watched(box, async () => {
      refused(await box.portolan(INDEX), "output.link");
      // It goes on without saving, and says so each time.
      await assert.rejects(box.portolan(["watch", "--no-embeddings"], { limit_ms: 6_000 }), /had not ended/);
    });
    await answers(await repaired(box));
  }
});

/** The trap is removed, and all is as for everybody else. */
async function repaired(box) {
  await box.node(["-e", "fs.rmSync('.portolan')"]);
  const { code, stderr } = await box.portolan(INDEX);
  assert.equal(code, 0, stderr);
  return box;
}

test("index: the index itself is a link, a folder, a pipe", async (t) => {
  const linked = fresh(t, { "repo/.portolan/": "" }).link("repo/.portolan/index.portolan", "outside/precious");
  await watched(linked, async () => refused(await linked.portolan(INDEX), "output.link"));
  const folder = fresh(t, { "repo/.portolan/index.portolan/": "" });
  await watched(folder, async () => refused(await folder.portolan(INDEX), "output.foreign"));
  const pipe = fresh(t, { "repo/.portolan/": "" });
  ours(() => execFileSync("mkfifo", [pipe.path("repo/.portolan/index.portolan")]));
  await watched(pipe, async () => {
    refused(await pipe.portolan(INDEX, { limit_ms: 30_000 }), "output.foreign");
    refused(
      await pipe.portolan(["find", "alpha", "--index", ".portolan/index.portolan"], { limit_ms: 30_000 }),
      "input.not-a-file",
    );
  });
});

test("index: guessed names of temporary files", async (t) => {
  const box = fresh(t, { "repo/.portolan/": "" });
  // Node's number is one of the next thousand; the name that was used before is laid out for all of them.
  const code = `for (let n = 0; n < 32768; n++) for (const p of ['.portolan/index.portolan.' + n + '.tmp']) fs.symlinkSync('../../outside/precious', p)`;
  await box.node(["-e", code]);
  await watched(box, async () => {
    const { code, stderr } = await box.portolan(INDEX);
    assert.equal(code, 0, stderr);
  });
  await answers(box);
});

test("settings: where the index is kept", async (t) => {
  const at = (file) => ({ "repo/portolan.toml": `[index]\nfile = ${JSON.stringify(file)}\n` });
  for (const file of [
    ".git/config",
    ".git/hooks/pre-commit",
    "a.py",
    "keys/.npmrc",
    ".npmrc",
    "keys/x.portolan",
    "../outside/precious",
    ".GIT/x.portolan",
  ]) {
    const box = fresh(t, at(file)).link("repo/keys", "home");
    await box.portolan(["trust", "--yes"]); // even then
    await watched(box, async () => {
      const { code, stderr } = await box.portolan(INDEX);
      assert.notEqual(code, 0, file);
      assert.match(stderr, /\[output\.(link|foreign|outside)\]|portolan\.toml:2/);
    });
  }
  const box = fresh(t, at("cache/own.portolan"));
  assert.equal((await box.portolan(["trust", "--yes"])).code, 0);
  await watched(box, { allow: [...box.allow, "repo/cache/**"] }, async () => {
    assert.equal((await box.portolan(INDEX)).code, 0);
    assert.equal((await box.portolan(INDEX)).code, 0, "it is replaced, since it is an index");
    await answers(box, ["find", "alpha", "--index", "cache/own.portolan"]);
  });
});

test("-o: a link in the repository, a file that is not ours; but anywhere else", async (t) => {
  const box = fresh(t, { "outside/folder/": "" })
    .link("repo/out", "outside")
    .link("repo/x.portolan", "outside/precious");
  await watched(box, async () => {
    refused(await box.portolan([...INDEX, "-o", "out/new.portolan"]), "output.link");
    refused(await box.portolan([...INDEX, "-o", "out/precious"]), "output.link");
    refused(await box.portolan([...INDEX, "-o", "x.portolan"]), "output.link");
    refused(await box.portolan([...INDEX, "-o", "a.py"]), "output.foreign");
    refused(await box.portolan([...INDEX, "-o", ".git/config"]), "output.foreign");
    refused(await box.portolan([...INDEX, "-o", box.path("outside/precious")]), "output.foreign");
    // From elsewhere, too: the folder that is indexed brings the link.
    refused(
      await box.portolan([...INDEX, box.path("repo"), "-o", box.path("repo/out/new.portolan")], { cwd: "home" }),
      "output.link",
    );
  });
  await watched(box, { allow: [...box.allow, "outside/folder/**"] }, async () => {
    for (let n = 0; n < 2; n++)
      assert.equal((await box.portolan([...INDEX, "-o", box.path("outside/folder/new.portolan")])).stderr, "");
    assert.equal((await box.portolan([...INDEX, "-o", "/dev/null"])).code, 0);
  });
});

test("a hard link: the other name keeps what it had", async (t) => {
  const box = fresh(t);
  assert.equal((await box.portolan(INDEX)).code, 0);
  linkSync(box.path("repo/.portolan/index.portolan"), box.path("outside/shared"));
  linkSync(box.path("repo/a.py"), box.path("outside/b.py"));
  await watched(box, { allow: [...box.allow, "repo/a.py"] }, async () => {
    assert.equal((await box.portolan([...INDEX, "--full"])).code, 0);
    assert.equal((await box.portolan(["rename", "beta", "gamma", "--apply"])).code, 0);
  });
  assert.match(box.read("repo/a.py"), /gamma/);
  assert.match(box.read("outside/b.py"), /beta/);
});

test("rename --apply: through a link, of a pipe, in .git, by a path that leads out", async (t) => {
  const box = fresh(t, { "repo/link/a.py": SOURCES["repo/a.py"], "repo/sub/a.py": SOURCES["repo/a.py"] });
  assert.equal((await box.portolan(INDEX)).code, 0);
  // After it was indexed, folder and file become links to others with the same text.
  await box.node([
    "-e",
    "fs.rmSync('link', { recursive: true }); fs.symlinkSync('../outside', 'link'); fs.rmSync('sub/a.py'); fs.symlinkSync('../../outside/a.py', 'sub/a.py')",
  ]);
  await watched(box, async () => {
    for (const symbol of ["link/a.py#beta", "sub/a.py#beta"])
      refused(await box.portolan(["rename", symbol, "gamma", "--apply"]), "rename.conflict");
    await answers(box);
  });
});

test("rename --apply: the access bits stay, and nothing is left beside", async (t) => {
  const box = fresh(t);
  chmodSync(box.path("repo/a.py"), 0o751);
  assert.equal((await box.portolan(INDEX)).code, 0);
  await watched(box, { allow: [...box.allow, "repo/a.py"] }, async () => {
    const { code, stderr } = await box.portolan(["rename", "beta", "gamma", "--apply"]);
    assert.equal(code, 0, stderr);
  });
  assert.equal(statSync(box.path("repo/a.py")).mode & 0o777, 0o751);
});

test("export, import, key files: links and foreign files", async (t) => {
  const box = fresh(t, { "repo/pass": "a long passphrase\n" })
    .link("repo/out", "outside")
    .link("repo/graph.json", "outside/precious")
    .link("repo/key", "outside/key");
  assert.equal((await box.portolan(INDEX)).code, 0);
  const seal = ["export", "--passphrase-file", "pass", "-o"];
  await watched(box, async () => {
    refused(await box.portolan(["export", "--format", "json", "-o", "graph.json"]), "output.link");
    refused(await box.portolan(["export", "--format", "json", "-o", "out/graph.json"]), "output.link");
    refused(await box.portolan(["export", "--format", "csv", "-o", "out/tables"]), "output.link");
    refused(await box.portolan(["export", "--format", "json", "-o", "a.py"]), "output.foreign");
    refused(
      await box.portolan(["export", "--format", "dot", "--node", "symbol", "-o", ".git/hooks/pre-push"]),
      "output.foreign",
    );
    refused(await box.portolan([...seal, "out/sealed"]), "output.link");
    refused(await box.portolan([...seal, "a.py"]), "output.foreign");
    refused(
      await box.portolan(["export", "--obfuscate-paths", "--key-file", "key", "-o", "hidden.portolan"]),
      "output.link",
    );
    refused(await box.portolan(["import", ".portolan/index.portolan", "-o", "out/x.portolan"]), "output.link");
  });
  await watched(box, { allow: [...box.allow, "repo/graph.xml", "repo/sealed"] }, async () => {
    for (let n = 0; n < 2; n++) {
      assert.equal((await box.portolan(["export", "--format", "graphml", "-o", "graph.xml"])).code, 0);
      assert.equal((await box.portolan([...seal, "sealed"])).code, 0, "one of ours is replaced");
    }
  });
  assert.equal(statSync(box.path("repo/sealed")).mode & 0o777, 0o600);
});

test("build: the folder is a link, lies behind one, or holds something else", async (t) => {
  const mark = JSON.stringify({ name: "x", digest: "0" });
  const box = fresh(t, {
    "outside/site/portolan-site.json": mark,
    "outside/site/precious": "gold",
    "repo/own/portolan-site.json": "{}",
    "repo/own/x": "",
  })
    .link("repo/site", "outside/site")
    .link("repo/docs", "outside");
  await watched(box, async () => {
    refused(await box.portolan(["build", "--no-embeddings"]), "output.link");
    refused(await box.portolan(["build", "--no-embeddings", "-o", "docs/site"]), "output.link");
    refused(await box.portolan(["build", "--no-embeddings", "-o", "own"]), "output.unwritable");
  });
  // A page that was built here before, in which somebody laid links since.
  const built = fresh(t, { "repo/site/portolan-site.json": mark })
    .link("repo/site/index.html", "outside/precious")
    .link("repo/site/sample", "outside");
  await watched(built, { allow: [...built.allow, "repo/site/**"] }, async () => {
    const { code, stderr } = await built.portolan(["build", "--no-embeddings"]);
    assert.equal(code, 0, stderr);
  });
  assert.ok(lstatSync(built.path("repo/site/index.html")).isFile());
});

test("JavaScript: an index that is stored, and one by name", async (t) => {
  const entry = pathToFileURL(`${ROOT}pkg/dist/entry/node.js`).href;
  const script = `
    import { Portolan } from ${JSON.stringify(entry)};
    const index = await Portolan.index(".", { store: true, embeddings: false });
    await index.complete;
    console.log(JSON.stringify({ stored: index.stored, found: (await index.find({ symbol: "alpha" })).symbols.length }));
    index.close();`;
  const box = fresh(t, { "tmp/ask.mjs": script }).link("repo/.portolan", "outside");
  await watched(box, async () => {
    const { stdout, stderr } = await box.node([box.path("tmp/ask.mjs")]);
    const { stored, found } = JSON.parse(stdout || stderr);
    assert.equal(stored.error?.code, "output.link");
    assert.equal(found, 1, "the question is answered from memory");
  });
});

test("sources: links that lead out, pipes and devices are told and not read", async (t) => {
  const box = fresh(t, { "outside/secret.py": "def secret_function():\n    pass\n" })
    .link("repo/secret.py", "outside/secret.py")
    .link("repo/far", "outside")
    .link("repo/.gitignore", "outside/precious")
    .link("repo/zero.py", "/dev/zero");
  ours(() => execFileSync("mkfifo", [box.path("repo/pipe.py")]));
  await watched(box, async () => {
    assert.equal((await box.portolan(INDEX, { limit_ms: 60_000 })).code, 0);
    const { code } = await box.portolan(["find", "secret_function"]);
    assert.equal(code, 0);
    assert.deepEqual((await box.json(["find", "secret_function"])).symbols, []);
    const { skipped } = await box.json(["status"]);
    for (const path of ["secret.py", "far", "zero.py", "pipe.py"])
      assert.ok(
        skipped.some((entry) => entry.path === path),
        path,
      );
  });
  await answers(box);
});

test("an archive is a file: no pipe, no device", async (t) => {
  const box = fresh(t).link("repo/a.zip", "/dev/zero");
  ours(() => execFileSync("mkfifo", [box.path("repo/b.zip")]));
  await watched(box, async () => {
    for (const archive of ["a.zip", "b.zip"]) {
      const { code, stderr } = await box.portolan([...INDEX, archive], { limit_ms: 30_000 });
      assert.equal(code, 1);
      assert.match(stderr, /no regular file/);
    }
  });
  assert.ok(!existsSync(box.path("repo/.portolan")));
});
