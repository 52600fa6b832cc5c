// The Node server is killed in the middle of a switch and of reads, and started again over the same folder. shared-server.test.mjs kills it in
// the middle of uploads.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { FolderStore } from "../dist/shared/folder-store.js";
import { createToken } from "../dist/shared/tokens.js";
import { Versions } from "../dist/shared/versions.js";
import { all, chunks, folderStore, hashOf, version } from "./shared-parts.mjs";

const CHILD = fileURLToPath(new URL("shared-child.mjs", import.meta.url));
const REPO = "/v1/repos/acme%2Ftools";

async function started(folder) {
  const child = spawn(process.execPath, [CHILD, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const url = String(await new Promise((resolve) => child.stdout.once("data", resolve))).trim();
  const kill = async () => {
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
  };
  return { url, kill };
}

/** Node's fetch may wait for ever for a server that was killed: the client ends its requests itself, a moment later. */
function client() {
  const gone = new AbortController();
  return { signal: gone.signal, end: () => setTimeout(() => gone.abort(), 500) };
}

/** A folder with two versions, and a token for it. */
async function filled() {
  const store = folderStore();
  const { token } = await createToken(store, { name: "all", scope: "admin", repositories: ["**"] });
  const files = [version(1), version(2)];
  const commits = [hashOf("1"), hashOf("2")];
  const versions = new Versions(store);
  for (const [n, file] of files.entries())
    await versions.addFile("acme/tools", file.length, chunks(file), {
      source: { commit: commits[n] },
      isSwitched: true,
      by: "x",
    });
  return { root: store.root, headers: { authorization: `Bearer ${token}` }, files, commits };
}

test("killed in the middle of switches, the last one that was answered holds, or the one under way", async () => {
  const { root, headers, files, commits } = await filled();
  for (const wait of [5, 30, 90, 200]) {
    const { url, kill } = await started(root);
    let [answered, asked] = [undefined, undefined];
    const { signal, end } = client();
    const switching = (async () => {
      for (let n = 0; ; n++) {
        asked = commits[n % 2];
        const body = JSON.stringify({ version: asked });
        const response = await fetch(`${url}${REPO}/current`, { method: "POST", headers, body, signal });
        answered = (await response.json()).source.commit;
      }
    })().catch(() => {});
    await pause(wait);
    await kill();
    end();
    await switching;
    const versions = new Versions(new FolderStore(root));
    const current = await versions.version("acme/tools");
    if (answered !== undefined) assert.ok([answered, asked].includes(current.source.commit));
    const bytes = await all((await versions.file("acme/tools", current.id)).read());
    assert.deepEqual(bytes, files[commits.indexOf(current.source.commit)]);
    assert.equal((await versions.catalogue("acme/tools")).versions.length, 2);
  }
});

test("killed in the middle of reads, clients see an error and never other bytes; afterwards all is there", async () => {
  const { root, headers, files } = await filled();
  const { url, kill } = await started(root);
  const { signal, end } = client();
  const read = async (base, more = {}) => {
    const response = await fetch(`${base}${REPO}/index`, { headers, ...more });
    return new Uint8Array(await response.arrayBuffer());
  };
  let n_read = 0;
  const clients = Array.from({ length: 8 }, async () => {
    for (;;) {
      const bytes = await read(url, { signal });
      assert.deepEqual(bytes, files[1]);
      n_read++;
    }
  });
  const ends = Promise.allSettled(clients);
  while (n_read < 20) await pause(5);
  await kill();
  end();
  for (const { reason } of await ends) assert.ok(!(reason instanceof assert.AssertionError), String(reason));
  const again = await started(root);
  assert.deepEqual(await read(again.url), files[1]);
  await again.kill();
});
