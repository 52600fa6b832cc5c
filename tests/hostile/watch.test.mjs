// A test of the tests: each witness is shown what it must not overlook. A watcher that sees nothing would let every attack pass.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import { ours } from "./own-processes.mjs";
import { programAt, sandbox } from "./sandbox.mjs";
import { Trace } from "./trace.mjs";
import { askedAgain, filesOf, isAllowed, watched } from "./watch.mjs";
import { descendants } from "./watch-programs.mjs";

const FILES = { "repo/a.py": "x = 1\n", "outside/precious": "gold\n", "home/.profile": "umask 022\n" };
const run = (box, code) => box.node(["-e", code]);
const seen = (promise, what) => assert.rejects(promise, what);

test("what is allowed passes, and gives its result", async (t) => {
  const box = sandbox(FILES, t);
  const write = "fs.mkdirSync('.portolan'); fs.writeFileSync('.portolan/index.portolan', 'x')";
  const { code } = await watched(box, () => run(box, write));
  assert.equal(code, 0);
  assert.equal(await watched(box.path("repo"), async () => 7), 7);
});

test("temporary files that go while the folder is looked at are not there", async (t) => {
  const box = sandbox(FILES, t);
  const busy = `
    const fs = require("node:fs");
    require("node:worker_threads").parentPort.postMessage("ready");
    for (let n = 0; ; n++) {
      const folder = ${JSON.stringify(box.path("outside"))} + "/" + n;
      fs.mkdirSync(folder);
      fs.writeFileSync(folder + "/file", "x");
      fs.rmSync(folder, { recursive: true });
    }`;
  const worker = new Worker(busy, { eval: true });
  await once(worker, "message");
  for (let n = 0; n < 300; n++) assert.ok(filesOf(box.root).has("outside/precious"));
  await worker.terminate();
});

test("files: new, changed, gone, replaced by the same, moved, linked, another mode", async (t) => {
  const attacks = {
    "outside/new is new": "fs.writeFileSync('../outside/new', '')",
    "outside/precious was": "fs.appendFileSync('../outside/precious', 'x')",
    "outside/precious is gone": "fs.rmSync('../outside/precious')",
    "home/.profile was":
      "fs.writeFileSync('../home/.x', 'umask 022\\n'); fs.renameSync('../home/.x', '../home/.profile')",
    "repo/b.py is new": "fs.renameSync('a.py', 'b.py')",
    "outside/precious .*mode 777": "fs.chmodSync('../outside/precious', 0o777)",
    "tmp/link is new: link to": "fs.symlinkSync('/etc/passwd', '../tmp/link')",
    "repo/pipe": "fs.mkdirSync('pipe')",
  };
  for (const [what, code] of Object.entries(attacks)) {
    const box = sandbox(FILES, t);
    await seen(
      watched(box, () => run(box, code)),
      new RegExp(what),
    );
  }
});

test("a file that is written through a link, and one that is put back as it was", async (t) => {
  const box = sandbox(FILES, t).link("repo/.portolan", "outside");
  await seen(
    watched(box, () => run(box, "fs.writeFileSync('.portolan/.gitignore', '*')")),
    /outside\/\.gitignore is new/,
  );
  const back = "const f = '../home/.profile', s = fs.statSync(f); fs.writeFileSync(f, 'umask 022\\n');";
  await seen(
    watched(box, () => run(box, `${back} fs.utimesSync(f, s.atime, s.mtime)`)),
    /home\/\.profile was/,
  );
});

test("a file outside of the sandbox, wherever it is", {
  skip: !Trace.works && "there is no strace here",
}, async (t) => {
  const box = sandbox(FILES, t);
  const [first, second] = [
    join(box.machinery, "../hostile-elsewhere"),
    join(box.machinery, "../hostile-elsewhere-too"),
  ];
  const make = `fs.writeFileSync('${first}', ''); fs.renameSync('${first}', '${second}'); fs.rmSync('${second}')`;
  await seen(
    watched(box, () => run(box, make)),
    /strace: open\w* of .*hostile-elsewhere[\s\S]*strace: rename of .*hostile-elsewhere-too[\s\S]*strace: unlink/,
  );
  // A path that is allowed by its name is not allowed where a link leads elsewhere.
  const behind = "fs.mkdirSync('.portolan'); fs.symlinkSync('/tmp', '.portolan/far');";
  await seen(
    watched(box, () =>
      run(box, `${behind} const p = '.portolan/far/hostile-far'; fs.writeFileSync(p, ''); fs.rmSync(p)`),
    ),
    /strace: open\w* of \/tmp\/hostile-far/,
  );
});

test("processes: every way that Node has, in workers too", async (t) => {
  const ways = [
    "require('child_process').spawn('/bin/true')",
    "require('child_process').execFileSync('/bin/true')",
    "require('child_process').exec('/bin/true')",
    "require('child_process').fork('-e')",
    "import('node:child_process').then(({ spawnSync }) => spawnSync('/bin/true'))",
    "new (require('worker_threads').Worker)(\"require('child_process').execSync('/bin/true')\", { eval: true })",
  ];
  for (const code of ways) {
    const box = sandbox(FILES, t);
    await seen(
      watched(box, () => run(box, code)),
      /Node started [\s\S]*(\/bin\/sh|true|node)/,
    );
    if (!Trace.works) continue;
    // The other witness by itself.
    box.isRecording = false;
    await seen(
      watched(box, () => run(box, code)),
      /strace: \S+ was started/,
    );
  }
});

test("processes: a program that is found on the PATH", async (t) => {
  const box = sandbox(FILES, t);
  const call = "require('child_process').spawnSync('npm', ['install'])";
  await seen(
    watched(box, () => run(box, call)),
    /a trap was run: npm install/,
  );
});

test("processes of this process, and what it writes", async (t) => {
  const folder = sandbox(FILES, t).path("repo");
  for (const start of [() => spawnSync("true"), () => execFileSync("true")])
    await seen(
      watched(folder, async () => start()),
      /this process started true/,
    );
  await seen(
    watched(folder, async () => writeFileSync(join(folder, "b.py"), "")),
    /b\.py is new/,
  );
  await seen(
    watched(folder, async () => utimesSync(join(folder, "b.py"), 1, 1)),
    /b\.py was/,
  );
  await seen(
    watched(folder, async () => renameSync(join(folder, "b.py"), join(folder, "c.py"))),
    /b\.py is gone/,
  );
});

test("git may be called where that is said, and then may start nothing itself", async (t) => {
  if (!programAt("git")) return t.skip("there is no git here");
  const box = sandbox(FILES, t);
  box.git(["init", "-q"]);
  box.git(["add", "."]);
  box.git(["commit", "-q", "-m", "one"]);
  const call = "require('child_process').execFileSync('git', ['status', '--porcelain'], { stdio: 'inherit' })";
  const options = { allow: [...box.allow, "repo/.git/**"] };
  await seen(
    watched(box, options, () => run(box, call)),
    /a trap was run: git status/,
  );
  await watched(box, { ...options, processes: ["git"] }, () => run(box, call));
  box.git(["config", "core.fsmonitor", "/bin/echo"]);
  await seen(
    watched(box, { ...options, processes: ["git"] }, () => run(box, call)),
    /git started \S+ \/bin\/echo/,
  );
});

test("connections and native libraries", async (t) => {
  const box = sandbox(FILES, t);
  const fetched = "require('net').connect(9, '127.0.0.1').on('error', () => {})";
  await seen(
    watched(box, () => run(box, fetched)),
    /a connection to 127\.0\.0\.1:9 was opened/,
  );
  box.put({ "repo/evil.node": "no library" });
  await seen(
    watched(box, () => run(box, "try { require('./evil.node') } catch {}")),
    /native library .*evil\.node was loaded/,
  );
});

test("a program that does not end is ended, and told", async (t) => {
  const box = sandbox(FILES, t);
  await seen(box.node(["-e", "setInterval(() => {}, 1000)"], { limit_ms: 1_500 }), /had not ended/);
});

test("a trespass is told before the error that came of it", async (t) => {
  const box = sandbox(FILES, t);
  const body = async () => {
    await run(box, "fs.rmSync('../outside/precious')");
    throw new Error("something else");
  };
  await seen(watched(box, body), /precious is gone/);
});

test("the next question", async () => {
  assert.equal(await askedAgain(async () => 1), 1);
  await seen(
    askedAgain(async () => undefined),
    /another answer/,
  );
  await seen(
    askedAgain(() => new Promise(() => {}), undefined, 20),
    /not answered in 20 ms/,
  );
  await seen(
    askedAgain(async () => {
      throw new Error("internal.trap");
    }),
    /internal\.trap/,
  );
});

test("globs", () => {
  const matches = (path, glob) => isAllowed(path, [glob]);
  assert.ok(matches("repo/.portolan", "repo/.portolan/**") && matches("repo/.portolan/a/b", "repo/.portolan/**"));
  assert.ok(matches("a/b/c.py", "**/c.py") && matches("c.py", "**/c.py") && matches("a/x.py", "a/*.py"));
  assert.ok(!matches("repo/.portolanx", "repo/.portolan/**") && !matches("a/b/x.py", "a/*.py"));
  assert.ok(!matches("repo/aXportolan", "repo/a.portolan"));
});

test("programs that a program of others starts, and files beside those that it may write", {
  skip: !existsSync("/proc/self/stat") && "the system does not tell of processes",
}, async (t) => {
  const box = sandbox(FILES, t);
  const programs = descendants(["node"]);
  // A shell acts as the browser; the programs that it starts are those that a page made it start.
  const child = ours(() => spawn("/bin/sh", ["-c", "sleep 0.3; :"], { stdio: "ignore" }));
  await new Promise((resolve) => child.on("exit", resolve));
  assert.match(programs.stop().join(), /sleep was started/);
  await seen(
    watched(box, { allow: ["tmp/profile-*/**"] }, () => {
      box.put({ "tmp/profile-1/Cookies": "", "home/.bashrc": "" });
    }),
    /^(?!.*profile).*home\/\.bashrc is new/s,
  );
});
