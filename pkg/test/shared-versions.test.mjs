// Versions of shared indexes: added by pieces, read as one file, switched in one step, pruned; and whatever is killed when, the current version
// is an old or a new one, whole.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Cutter, PIECE } from "../dist/shared/cutter.js";
import { layoutOf } from "../dist/shared/layout.js";
import { prune, pruned } from "../dist/shared/prune.js";
import { Versions } from "../dist/shared/versions.js";
import { all, chunks, container, digestOf, folderStore, hashOf, noise, s3, version } from "./shared-parts.mjs";

const REPO = "acme/tools";
const code = (wanted) => (error) => {
  assert.equal(error.code, wanted, error.message);
  return true;
};

/** The sections of a file, and its pieces by digest, as a client makes them. */
function cut(file, size) {
  const cutter = new Cutter(file.length);
  const pieces = [];
  for (let at = 0; at < file.length; at += size ?? file.length)
    for (const piece of cutter.push(file.subarray(at, at + (size ?? file.length)))) pieces.push(piece);
  const sections = cutter.layout.parts.map(({ name, n_bytes }, part) => ({
    name,
    n_bytes,
    pieces: pieces
      .filter((piece) => piece.part === part)
      .map(({ bytes }) => ({ digest: digestOf(bytes), n_bytes: bytes.length })),
  }));
  return { sections, pieces: new Map(pieces.map(({ bytes }) => [digestOf(bytes), bytes])) };
}

/** Pushes as the client does; how many pieces were uploaded. */
async function push(versions, file, source = {}, { isSwitched = true, repository = REPO } = {}) {
  const { sections, pieces } = cut(file);
  const request = { source, switch: isSwitched, n_bytes: file.length, sections };
  const { missing } = await versions.offer(repository, request, "tester");
  for (const digest of missing) await versions.putPiece(repository, digest, pieces.get(digest));
  const offer = missing.length === 0 ? undefined : await versions.offer(repository, request, "tester");
  return { ...(offer ?? (await versions.offer(repository, request, "tester"))), n_uploaded: missing.length };
}

async function current(versions, repository = REPO) {
  const { id } = await versions.version(repository);
  return all((await versions.file(repository, id)).read());
}

test("pieces are the file, whatever the chunks that it arrives in", () => {
  const file = version(1);
  const { sections, pieces } = cut(file);
  assert.deepEqual(cut(file, 1000).sections, sections);
  assert.deepEqual(cut(file, 77_777).sections, sections);
  const joined = Buffer.concat(sections.flatMap(({ pieces: own }) => own.map(({ digest }) => pieces.get(digest))));
  assert.deepEqual(new Uint8Array(joined), file);
  assert.deepEqual(
    sections.map(({ name }) => name),
    ["head", "info", "blocks", "graph", "vectors"],
  );
  for (const bytes of pieces.values()) assert.ok(bytes.length <= PIECE.most);
});

test("bytes that are inserted into a section change few of its pieces", () => {
  const [before, after] = [cut(version(1)), cut(version(40))];
  const isNew = [...after.pieces.keys()].filter((digest) => !before.pieces.has(digest));
  assert.ok(isNew.length <= 4, `${isNew.length} of ${after.pieces.size}`);
});

test("a file of one value is cut at the largest size", () => {
  const { sections } = cut(container({ zeros: new Uint8Array(9_000_000) }));
  assert.deepEqual(
    sections[1].pieces.map(({ n_bytes }) => n_bytes),
    [PIECE.most, PIECE.most, 9_000_000 - 2 * PIECE.most],
  );
});

test("what is no index is refused by its header", () => {
  const good = version(1);
  const damaged = (change) => {
    const file = Buffer.from(good.slice(0, 12_000));
    change(file);
    return new Uint8Array(file);
  };
  const cases = {
    "no Portolan index": damaged((file) => file.write("ZIP", 0)),
    "the file has": damaged((file) => file.writeBigUInt64LE(5n, 40)),
    "table of sections": damaged((file) => file.writeUInt32LE(0xffffffff, 12)),
    "out of place": damaged((file) => file.writeBigUInt64LE(16n, 64 + 16)),
    "section graph is out": damaged((file) => file.writeBigUInt64LE(1n << 60n, 64 + 80 + 24)),
  };
  for (const [message, start] of Object.entries(cases))
    assert.throws(
      () => layoutOf(start, good.length),
      (error) => error.code === "version.invalid" && error.message.includes(message),
      message,
    );
  assert.throws(() => layoutOf(new Uint8Array(0), 0), code("version.invalid"));
  assert.throws(() => layoutOf(good.subarray(0, 20), 20), code("version.invalid"));
});

for (const [kind, make] of Object.entries({ folder: async () => folderStore(), S3: async () => (await s3()).store })) {
  test(`a new version uploads only what changed, and is read byte for byte (${kind})`, async () => {
    const versions = new Versions(await make());
    const [first, second] = [version(1), version(2)];
    const one = await push(versions, first, { commit: hashOf("1") });
    assert.equal(one.is_current && one.is_new, true);
    assert.deepEqual(await current(versions), first);
    const two = await push(versions, second, { commit: hashOf("2") });
    assert.ok(two.n_uploaded > 0 && two.n_uploaded <= 4, `${two.n_uploaded} pieces`);
    assert.deepEqual(await current(versions), second);
    const again = await push(versions, second, { commit: hashOf("2") });
    assert.deepEqual([again.n_uploaded, again.is_new, again.version.id], [0, false, two.version.id]);
    const { versions: list } = await versions.catalogue(REPO);
    assert.deepEqual(
      list.map(({ id }) => id),
      [two.version.id, one.version.id],
    );
    assert.equal(list[0].engine, "0.1.0");
    const file = await versions.file(REPO, one.version.id);
    for (const [offset, length] of [
      [0, 100],
      [63, 1],
      [100_000, 700_000],
      [first.length - 5, 5],
      [7, 0],
    ])
      assert.deepEqual(await all(file.read({ offset, length })), first.subarray(offset, offset + length));
  });
}

test("an encrypted file passes through as it is", async () => {
  const versions = new Versions(folderStore());
  const file = Buffer.concat([Buffer.from("PORTSEAL"), noise(500_000, 9)]);
  const { version: sealed } = await push(versions, new Uint8Array(file));
  assert.equal(sealed.is_sealed, true);
  assert.equal(sealed.engine, undefined);
  assert.deepEqual(Buffer.from(await current(versions)), file);
});

test("a file that arrives as a whole is the same version as its pieces", async () => {
  const versions = new Versions(folderStore());
  const file = version(3);
  const addition = { source: { commit: hashOf("3") }, isSwitched: true, by: "tester" };
  const { version: put } = await versions.addFile(REPO, file.length, chunks(file, 10_000), addition);
  const pushed = await push(versions, file, { commit: hashOf("3") });
  assert.deepEqual([pushed.version.id, pushed.n_uploaded, pushed.is_new], [put.id, 0, false]);
  await assert.rejects(
    versions.addFile(REPO, file.length, chunks(file.subarray(0, 600_000)), addition),
    code("request.length"),
  );
  await assert.rejects(versions.addFile(REPO, 8, chunks(noise(8, 1)), addition), code("version.invalid"));
  assert.deepEqual(await current(versions), file);
});

test("digests, lengths and sections that are not those of the file are refused", async () => {
  const versions = new Versions(folderStore());
  const file = version(1);
  const { sections, pieces } = cut(file);
  const [digest, bytes] = [...pieces][2];
  await assert.rejects(versions.putPiece(REPO, digest, bytes.subarray(1)), code("version.digest"));
  await assert.rejects(versions.putPiece(REPO, digest, new Uint8Array(PIECE.most + 1)), code("version.invalid"));
  for (const [own, content] of pieces) await versions.putPiece(REPO, own, content);
  const moved = structuredClone(sections);
  [moved[1], moved[3]] = [moved[3], moved[1]];
  await assert.rejects(
    versions.offer(REPO, { n_bytes: file.length, sections: moved }, "tester"),
    code("version.invalid"),
  );
  const renamed = structuredClone(sections);
  renamed[2].name = "other";
  await assert.rejects(
    versions.offer(REPO, { n_bytes: file.length, sections: renamed }, "tester"),
    code("version.invalid"),
  );
  const longer = structuredClone(sections);
  longer[2].pieces[0].n_bytes += 1;
  const { missing } = await versions.offer(REPO, { n_bytes: file.length, sections: longer }, "tester");
  assert.deepEqual(missing, [longer[2].pieces[0].digest], "a piece of another length is not that piece");
  await assert.rejects(versions.version(REPO), code("repository.unknown"), "nothing of it was kept");
});

test("the nearest version is found by tree, then by commit", async () => {
  const versions = new Versions(folderStore());
  const commits = Array.from({ length: 5 }, (_, n) => ({ commit: hashOf(`commit ${n}`), tree: hashOf(`tree ${n}`) }));
  const old = await push(versions, version(1), { ...commits[3] });
  const side = await push(
    versions,
    version(2),
    { commit: hashOf("another"), tree: commits[2].tree },
    { isSwitched: false },
  );
  assert.deepEqual(await versions.nearest(REPO, commits), { version: side.version, n_commits: 2 });
  assert.deepEqual(await versions.nearest(REPO, commits.slice(3)), { version: old.version, n_commits: 0 });
  assert.deepEqual(await versions.nearest(REPO, commits.slice(4)), {});
});

test("versions are named by digits, commits and tags; going back is a switch", async () => {
  const versions = new Versions(folderStore());
  const one = await push(versions, version(1), { commit: hashOf("1"), tags: ["v1"] });
  const two = await push(versions, version(2), { commit: hashOf("2") });
  for (const name of [one.version.id, one.version.id.slice(0, 8), hashOf("1").slice(0, 7), "v1"])
    assert.equal((await versions.version(REPO, name)).id, one.version.id, name);
  for (const name of ["", "v", one.version.id.slice(0, 7), "../x", "previous"])
    await assert.rejects(versions.version(REPO, name), code("version.unknown"), name);
  assert.equal((await versions.switchTo(REPO, "previous", "tester")).id, one.version.id);
  assert.deepEqual(await current(versions), version(1));
  assert.equal((await versions.switchTo(REPO, hashOf("2"), "tester")).id, two.version.id);
  const { switches } = await versions.catalogue(REPO);
  assert.deepEqual(
    switches.map(({ to }) => to),
    [two, one, two, one].map(({ version: { id } }) => id),
  );
  const tagged = await push(versions, version(1), { commit: hashOf("1"), tags: ["v1.0"] }, { isSwitched: false });
  assert.deepEqual(tagged.version.source.tags, ["v1", "v1.0"]);
});

test("rules of pruning", () => {
  const day = 86_400_000;
  const now = 100 * day;
  const list = Array.from({ length: 8 }, (_, n) => ({ id: `${n}`, made_at: now - n * 10 * day, source: {} }));
  list[6].source.tags = ["v1"];
  const gone = (current, rules) =>
    pruned(list, current, rules, now)
      .map(({ id }) => id)
      .join("");
  assert.equal(gone("0", { keep: 2, days: 35 }), "457");
  assert.equal(gone("5", { keep: 0, days: 0, tagged: false }), "123467".replace("5", ""));
  assert.equal(gone("0", { keep: 1, days: 0 }), "123457");
  assert.equal(gone("0", {}), "");
});

test("pruning deletes what no kept version has, and nothing else", async () => {
  const store = folderStore();
  const versions = new Versions(store);
  const made = [];
  for (const n of [1, 2, 3]) made.push(await push(versions, version(n), { commit: hashOf(`${n}`) }));
  const before = await versions.storedPieces(REPO);
  const later = Date.now() + 3 * 86_400_000;
  const shown = await prune(versions, REPO, { keep: 1, days: 1, dry_run: true }, later);
  assert.deepEqual(await versions.storedPieces(REPO), before);
  const done = await prune(versions, REPO, { keep: 1, days: 1 }, later);
  assert.deepEqual(done, shown);
  assert.deepEqual(done.versions.sort(), [made[0].version.id, made[1].version.id].sort());
  assert.equal((await versions.storedPieces(REPO)).size, before.size - done.n_pieces);
  assert.ok(done.n_pieces > 0);
  assert.deepEqual(await current(versions), version(3));
  await assert.rejects(versions.version(REPO, made[0].version.id), code("version.unknown"));
  assert.equal((await versions.catalogue(REPO)).deleting.length, 0);
  // Deleted content can be pushed again.
  await push(versions, version(1), { commit: hashOf("1") });
  assert.deepEqual(await current(versions), version(1));
});

test("pushes and prunings at the same time lose no piece of a kept version", async () => {
  const versions = new Versions(folderStore());
  await push(versions, version(0), { commit: hashOf("0") });
  const patiently = async (work) => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!["version.busy", "store.conflict"].includes(error.code)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  };
  const pushing = Array.from({ length: 6 }, (_, n) =>
    patiently(async () => {
      // A pruning may have taken a piece between upload and offer.
      for (;;) {
        const { missing } = await push(versions, version(n % 3), { commit: hashOf(`${n}`) });
        if (missing.length === 0) return;
      }
    }),
  );
  const later = Date.now() + 3 * 86_400_000;
  const pruning = Array.from({ length: 6 }, (_, n) =>
    patiently(() => prune(versions, REPO, { keep: 1 + (n % 2), days: 0 }, later + n)),
  );
  await Promise.all([...pushing, ...pruning]);
  const { versions: kept } = await versions.catalogue(REPO);
  for (const { id } of kept) {
    const bytes = await all((await versions.file(REPO, id)).read());
    assert.ok(
      [0, 1, 2].some((n) => Buffer.compare(bytes, version(n)) === 0),
      "each kept version is whole",
    );
  }
});

test("a repository is deleted with all its objects, and no other one", async () => {
  const store = folderStore();
  const versions = new Versions(store);
  for (const repository of ["acme", "acme/tools", "acme/tools2"]) await push(versions, version(1), {}, { repository });
  assert.deepEqual(await versions.repositories(), ["acme", "acme/tools", "acme/tools2"]);
  await versions.remove("acme");
  assert.deepEqual(await versions.repositories(), ["acme/tools", "acme/tools2"]);
  assert.deepEqual(await current(versions, "acme/tools"), version(1));
  assert.equal((await store.list("repos/acme/_/")).objects.length, 0);
});

/** A store that is gone after `n` changes, as if its process were killed: then nothing answers any more. */
function mortal(store, n) {
  const killed = Object.assign(new Error("killed"), { code: "killed" });
  const changes = ["put", "delete", "writeDocument", "deleteDocument"];
  return new Proxy(store, {
    get(target, name) {
      const method = target[name];
      if (typeof method !== "function") return method;
      return async (...args) => {
        if (n <= 0) throw killed;
        if (changes.includes(name)) n--;
        return method.apply(target, args);
      };
    },
  });
}

test("killed after any change of the store, the current version is whole, and the next push goes on", async () => {
  const outcomes = new Set();
  for (let n = 0; n < 12; n++) {
    const store = folderStore();
    await push(new Versions(store), version(1), { commit: hashOf("1") });
    const dying = new Versions(mortal(store, n));
    const isDone = await push(dying, version(2), { commit: hashOf("2") }).then(
      () => true,
      (error) => assert.equal(error.code, "killed"),
    );
    const after = new Versions(store);
    const bytes = await current(after);
    outcomes.add(digestOf(bytes));
    assert.deepEqual(bytes, isDone ? version(2) : bytes.length === version(1).length ? version(1) : version(2));
    const { n_uploaded } = await push(after, version(2), { commit: hashOf("2") });
    assert.ok(n_uploaded <= Math.max(0, 4 - n), `${n} changes were made, ${n_uploaded} uploads were left`);
    assert.deepEqual(await current(after), version(2));
  }
  assert.equal(outcomes.size, 2, "killed before and after the switch");
});

test("killed after any change of a pruning, kept versions are whole, and a later pruning ends the work", async () => {
  for (let n = 0; n < 5; n++) {
    const store = folderStore();
    const versions = new Versions(store);
    for (const seed of [1, 2, 3]) await push(versions, version(seed), { commit: hashOf(`${seed}`) });
    const later = Date.now() + 3 * 86_400_000;
    await prune(new Versions(mortal(store, n)), REPO, { keep: 1, days: 0 }, later).catch(() => {});
    const after = new Versions(store, () => later + 3_600_000);
    assert.deepEqual(await current(after), version(3));
    for (const { id } of (await after.catalogue(REPO)).versions) await all((await after.file(REPO, id)).read());
    await prune(after, REPO, { keep: 1, days: 0 }, later + 3_600_000);
    const left = await after.storedPieces(REPO);
    assert.equal(left.size, cut(version(3)).pieces.size, `killed after ${n}`);
    assert.equal((await after.catalogue(REPO)).deleting.length, 0);
  }
});
