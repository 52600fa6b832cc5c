// The server of shared indexes over HTTP: files by range, hostile requests, and a process that is killed in the middle of an upload.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { request } from "node:http";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { FolderStore } from "../dist/shared/folder-store.js";
import { createToken } from "../dist/shared/tokens.js";
import { Versions } from "../dist/shared/versions.js";
import { all, chunks, digestOf, folderStore, hashOf, version } from "./shared-parts.mjs";

const CHILD = fileURLToPath(new URL("shared-child.mjs", import.meta.url));
const FILE = version(1);
const children = [];
after(() => {
  for (const child of children) child.kill("SIGKILL");
});

/** A server in a process of its own, over a folder. */
async function started(folder) {
  const child = spawn(process.execPath, [CHILD, folder], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const url = await new Promise((resolve, reject) => {
    child.stdout.once("data", (line) => resolve(String(line).trim()));
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
  });
  return { child, url };
}

const store = folderStore();
let url;
let token;
const headers = () => ({ authorization: `Bearer ${token}` });
const place = (rest = "") => `${url}/v1/repos/acme%2Ftools${rest}`;

before(async () => {
  ({ token } = await createToken(store, { name: "all", scope: "admin", repositories: ["**"] }));
  ({ url } = await started(store.root));
  const response = await fetch(place(`?commit=${hashOf("1")}&tag=v1`), {
    method: "PUT",
    body: FILE,
    headers: headers(),
  });
  assert.equal(response.status, 201, await response.text());
});

const get = async (path, more = {}) => {
  const response = await fetch(place(path), { headers: { ...headers(), ...more } });
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
};

test("the file of a version by range, with its etag", async () => {
  const whole = await get("/index");
  assert.equal(whole.status, 200);
  assert.deepEqual(whole.bytes, FILE);
  assert.equal(whole.headers.get("content-length"), String(FILE.length));
  const etag = whole.headers.get("etag");
  assert.match(etag, /^"[0-9a-f]{64}"$/);
  const ranges = {
    "bytes=0-0": [0, 1],
    "bytes=100-999": [100, 1000],
    "bytes=500000-900000": [500_000, 900_001],
    "bytes=-16": [FILE.length - 16, FILE.length],
    [`bytes=${FILE.length - 1}-${FILE.length + 99}`]: [FILE.length - 1, FILE.length],
    "bytes=1000-": [1000, FILE.length],
  };
  for (const [range, [start, end]] of Object.entries(ranges)) {
    const { status, bytes, headers: own } = await get("/index", { range });
    assert.equal(status, 206, range);
    assert.deepEqual(bytes, FILE.subarray(start, end), range);
    assert.equal(own.get("content-range"), `bytes ${start}-${end - 1}/${FILE.length}`);
  }
  for (const range of [`bytes=${FILE.length}-`, "bytes=9-1", "bytes=-0"])
    assert.equal((await get("/index", { range })).status, 416, range);
  for (const range of ["bytes=0-1,5-6", "lines=1-2", "bytes=x", `bytes=${"9".repeat(40)}-`]) {
    const { status, bytes } = await get("/index", { range });
    assert.deepEqual([status, bytes.length], [200, FILE.length], range.slice(0, 20));
  }
  assert.equal((await get("/index", { "if-none-match": etag })).status, 304);
  assert.equal((await get("/index", { "if-match": '"other"' })).status, 412);
  assert.equal((await get("/index", { "if-range": '"other"', range: "bytes=0-0" })).bytes.length, FILE.length);
  assert.equal((await get("/index", { "if-range": etag, range: "bytes=0-0" })).bytes.length, 1);
  assert.equal((await get("/index?version=v1", { range: "bytes=0-7" })).status, 206);
  assert.equal((await get("/index?version=nothing")).status, 404);
  const head = await fetch(place("/index"), { method: "HEAD", headers: headers() });
  assert.equal(head.headers.get("content-length"), String(FILE.length));
});

/** A request whose path is sent as it is written. */
function raw(path, { method = "GET", own = {}, body = [] } = {}) {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, path, method, headers: { ...headers(), ...own } }, (answer) => {
      let text = "";
      answer.on("data", (piece) => (text += piece)).on("end", () => resolve({ status: answer.statusCode, text }));
    });
    sent.on("error", reject);
    for (const piece of body) sent.write(piece);
    sent.end();
  });
}

test("names and addresses that could lead elsewhere", async () => {
  const names = [
    "..",
    "%2e%2e",
    "..%2f..%2fetc",
    "acme%2F..%2Fx",
    "acme%2F%2Fx",
    "%00",
    "a%5Cb",
    ".hidden",
    "_",
    "-",
    "a%2F_v.x",
    "%",
    "a b",
    "%F0%9F%92%B6",
    "a".repeat(300),
  ];
  for (const name of names)
    for (const path of [`/v1/repos/${name}`, `/v1/repos/${name}/index`, `/v1/repos/${name}/versions/x`]) {
      const { status, text } = await raw(encodeURI(path).replaceAll("%25", "%"));
      assert.ok([400, 404, 405].includes(status), `${path}: ${status} ${text}`);
    }
  for (const digest of ["..%2f..%2f..%2faccess", "A".repeat(64), "0".repeat(63), "%2e%2e"])
    assert.equal(
      (await raw(`/v1/repos/acme%2Ftools/pieces/${digest}`, { method: "PUT", body: ["x"] })).status,
      404,
      digest,
    );
  for (const path of ["/v1/repos/acme/tools", "/v1/repos/", "/v1/repos/a/index/more", "/v1/repos/a/pieces/"])
    assert.ok([400, 404].includes((await raw(path)).status), path);
  assert.equal((await raw("/v1/repos/acme%2Ftools/versions", { method: "PUT", body: ["x"] })).status, 405);
  const other = await raw("/v1/repos", { own: { host: "evil.example" } });
  assert.equal(other.status, 421, "by another name, as after DNS rebinding");
});

test("bodies that are no version", async () => {
  const post = (path, body, own = {}) => raw(`/v1/repos/acme%2Ftools${path}`, { method: "POST", body: [body], own });
  const piece = { digest: digestOf("x"), n_bytes: 1 };
  const section = { name: "head", n_bytes: 1, pieces: [piece] };
  const cases = [
    "{",
    "[]",
    "null",
    '"x"',
    "[".repeat(200_000),
    JSON.stringify({ n_bytes: 1 }),
    JSON.stringify({ n_bytes: -1, sections: [section] }),
    JSON.stringify({ n_bytes: 1e300, sections: [section] }),
    JSON.stringify({ n_bytes: 1, sections: [] }),
    JSON.stringify({ n_bytes: 2, sections: [section] }),
    JSON.stringify({ n_bytes: 1, sections: [{ ...section, name: `../x${"y".repeat(20)}` }] }),
    JSON.stringify({ n_bytes: 1, sections: [{ ...section, pieces: [{ ...piece, digest: "../../access/tokens" }] }] }),
    JSON.stringify({ n_bytes: 1, sections: [section], source: { commit: "HEAD" } }),
    JSON.stringify({ n_bytes: 1, sections: [section], source: { tags: ["../x"] } }),
    JSON.stringify({ n_bytes: 1, sections: [section], source: { ref: "a\u001b[31m" } }),
    JSON.stringify({ n_bytes: 1, sections: [section], switch: "yes" }),
    JSON.stringify({ n_bytes: 300, sections: Array(301).fill(section) }),
  ];
  for (const body of cases) {
    const { status, text } = await post("/versions", body);
    assert.ok([400, 422].includes(status), `${body.slice(0, 80)}: ${status} ${text}`);
    const { code, message } = JSON.parse(text);
    assert.ok(code && message);
  }
  assert.equal((await post("/nearest", JSON.stringify({ commits: Array(5001).fill({}) }))).status, 400);
  assert.equal((await post("/prune", '{"keep": -1}')).status, 400);
  assert.equal((await post("/prune", '{"days": 1e9}')).status, 400);
  assert.equal((await post("/current", '{"version": 5}')).status, 400);
  assert.equal((await post("/current", '{"version": "none"}')).status, 404);
  assert.equal(
    (await post("/versions", "x", { "content-length": "99999999999" }).catch(() => ({ status: 413 }))).status,
    413,
  );
});

test("bodies that are too large, of a wrong digest, or shorter than they say", async () => {
  const large = new Uint8Array(5 * 1024 * 1024);
  const put = (digest, body) => fetch(place(`/pieces/${digest}`), { method: "PUT", body, headers: headers() });
  assert.equal((await put(digestOf(large), large)).status, 413);
  const wrong = await put("0".repeat(64), "x");
  assert.deepEqual([wrong.status, (await wrong.json()).code], [422, "version.digest"]);
  const empty = await put(digestOf(""), "");
  assert.equal(empty.status, 422);
  const chunked = await raw("/v1/repos/acme%2Ftools", {
    method: "PUT",
    body: ["PORTOLAN"],
    own: { "transfer-encoding": "chunked" },
  });
  assert.equal(chunked.status, 411);
  const cut = await fetch(place(), { method: "PUT", body: FILE.subarray(0, 500_000), headers: headers() });
  assert.deepEqual([cut.status, (await cut.json()).code], [422, "version.invalid"]);
  const hundred = await raw("/v1/repos/acme%2Ftools", { method: "PUT", own: { "content-length": String(1e15) } }).catch(
    () => ({ status: 413 }),
  );
  assert.equal(hundred.status, 413);
});

test("a body that comes slowly is cut off, and others are answered meanwhile", async () => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `PUT /v1/repos/acme%2Ftools HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${FILE.length}\r\n\r\n`,
  );
  socket.write(FILE.subarray(0, 200_000));
  const answer = await new Promise((resolve) => {
    let text = "";
    socket.on("data", (piece) => (text += piece)).on("close", () => resolve(text));
    socket.on("error", () => {});
  });
  assert.match(answer, /^HTTP\/1.1 408 /);
  assert.equal((await get("/index", { range: "bytes=0-7" })).status, 206);
});

test("killed in the middle of an upload, the server goes on with the old version, and the upload with the rest", async () => {
  const folder = store.root;
  const next = version(7);
  for (const n_sent of [1000, 400_000, next.length - 1000]) {
    const { child, url: own } = await started(folder);
    const { hostname, port } = new URL(own);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(
      `PUT /v1/repos/acme%2Ftools HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${next.length}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.write(next.subarray(0, n_sent), resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    socket.destroy();
    const versions = new Versions(new FolderStore(folder));
    const { id } = await versions.version("acme/tools");
    assert.deepEqual(await all((await versions.file("acme/tools", id)).read()), FILE);
  }
  const before = await new Versions(store).storedPieces("acme/tools");
  assert.ok(before.size > 0);
  const response = await fetch(place(), { method: "PUT", body: next, headers: headers() });
  assert.equal(response.status, 201);
  assert.deepEqual((await get("/index")).bytes, next);
});

test("killed at any moment of many pushes, the current version is a whole one", async () => {
  const { root } = folderStore();
  const own = new FolderStore(root);
  const { token: key } = await createToken(own, { name: "all", scope: "write", repositories: ["**"] });
  const files = [version(1), version(2), version(3)];
  for (let round = 0; round < 6; round++) {
    const { child, url: address } = await started(root);
    const pushing = (async () => {
      for (let n = 0; ; n++) {
        const body = files[n % 3];
        await fetch(`${address}/v1/repos/r?commit=${hashOf(`${round} ${n}`)}`, {
          method: "PUT",
          body,
          headers: { authorization: `Bearer ${key}` },
        });
      }
    })().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 60 + 47 * round));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    await pushing;
    const versions = new Versions(own);
    const { current, versions: list } = await versions.catalogue("r").catch(() => ({ versions: [] }));
    assert.ok(current !== undefined || list.length === 0);
    for (const { id } of list.slice(0, 4)) {
      const bytes = await all((await versions.file("r", id)).read());
      assert.ok(
        files.some((file) => Buffer.compare(file, bytes) === 0),
        "a version that is listed is whole",
      );
    }
  }
  const { id } = await new Versions(own)
    .addFile("r", FILE.length, chunks(FILE), { source: {}, isSwitched: true, by: "x" })
    .then(({ version: v }) => v);
  assert.equal((await new Versions(own).version("r")).id, id);
});
