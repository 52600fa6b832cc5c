// The script's part of questions to many: shards and groups of repositories are asked at once, within a deadline, and what is missing is
// named. Over fakes, without wasm: the whole is in worker.test.mjs.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { groupsOf } from "../../crates/edge/worker/groups.mjs";
import { known } from "../../crates/edge/worker/mcp.mjs";
import { searchAll, searchGroup } from "../../crates/edge/worker/several.mjs";
import { askAll } from "../../crates/edge/worker/shards.mjs";

const pause = (/** @type {number} */ millis) => new Promise((resolve) => setTimeout(resolve, millis));

describe("every repository", () => {
  const url = "https://worker/v1/search?q=add&repo=*&limit=3";
  /** A bucket with repositories, a thousand keys a page. @param {number} n */
  const bucketOf = (n) => {
    const names = Array.from({ length: n }, (_, at) => `team/r${String(at).padStart(5, "0")}`);
    return {
      n_lists: 0,
      async list({ cursor = "0" } = {}) {
        this.n_lists++;
        const from = Number(cursor);
        const page = names.slice(from, from + 1000);
        const objects = page.map((name) => ({ key: `${name}.portolan`, size: 1, uploaded: new Date(0) }));
        return { objects, truncated: from + 1000 < n, cursor: String(from + 1000) };
      },
    };
  };
  /** All pages of a list. @param {(options: { cursor: string }) => Promise<{ objects: any[], truncated: boolean, cursor: string }>} list */
  const pagesOf = async (list) => {
    const objects = [];
    let page = { objects, truncated: true, cursor: "0" };
    while (page.truncated) {
      page = await list(page);
      objects.push(...page.objects);
    }
    return { objects };
  };
  /** The answer of a repository; the score is in its name. @param {string} address */
  const answerOf = (address) => {
    const repo = new URL(address).searchParams.get("repo") ?? "";
    const json = { query: "add", total: 2, hits: [{ path: "a.js", score: Number(repo.slice(-5)) }] };
    return { status: 200, body: new TextEncoder().encode(JSON.stringify(json)) };
  };
  /** Objects of groups. @param {(address: string) => any} answer  @param {(group: string) => Promise<void>} [before] */
  const objectsOf = (answer, before = async () => {}) => ({
    groups: new Map(),
    idFromName: (/** @type {string} */ name) => name,
    get(/** @type {string} */ group) {
      return {
        fetch: async (/** @type {string} */ _, /** @type {any} */ init) => {
          const asked = JSON.parse(init.body);
          this.groups.set(group, asked.repositories.length);
          await before(group);
          return Response.json(await searchGroup(asked, async (address) => answer(address)));
        },
      };
    },
  });
  const here = () => assert.fail("there are groups");

  test("ten thousand are dealt to groups, and the best hits of all come first", async () => {
    const SHARDS = objectsOf(answerOf);
    const env = { SNAPSHOTS: bucketOf(10_000), SHARDS };
    const { status, json } = await searchAll(new Request(url), "", { env, here });
    assert.equal(status, 200);
    assert.deepEqual(
      json.hits.map(({ repo }) => repo),
      ["team/r09999", "team/r09998", "team/r09997"],
    );
    assert.deepEqual([json.n_repositories, json.total, json.late], [10_000, 20_000, undefined]);
    assert.equal(json.more_repositories, undefined);
    const sizes = [...SHARDS.groups.values()];
    assert.ok(SHARDS.groups.size > 250 && SHARDS.groups.size <= 512, `${SHARDS.groups.size} groups`);
    assert.ok(Math.max(...sizes) < 64, `a group of ${Math.max(...sizes)}`);
    assert.equal(env.SNAPSHOTS.n_lists, 10);
    // Neither the list nor the groups are asked again.
    SHARDS.groups.clear();
    assert.deepEqual((await searchAll(new Request(url), "", { env, here })).json, json);
    assert.deepEqual([env.SNAPSHOTS.n_lists, SHARDS.groups.size], [10, 0]);
  });

  test("more than ten thousand are not asked, and the answer says so", async () => {
    const env = { SNAPSHOTS: bucketOf(12_000), SHARDS: objectsOf(answerOf) };
    const { json } = await searchAll(new Request(`${url}&mode=lexical`), "", { env, here });
    assert.deepEqual([json.n_repositories, json.more_repositories], [10_000, true]);
  });

  test("a bucket that gives no more names than are wanted says whether it has more", async () => {
    for (const [n, isCut] of /** @type {const} */ ([
      [10_000, undefined],
      [10_001, true],
    ])) {
      const { list } = bucketOf(n);
      const wanting = async ({ most = 0 } = {}) => {
        const { objects } = await pagesOf(list.bind({ n_lists: 0 }));
        return { objects: objects.slice(0, most), truncated: n > most };
      };
      const { truncated, repositories } = await known({ get: async () => null, list: wanting }, "", 10_000);
      assert.deepEqual([repositories.length, truncated], [10_000, isCut]);
    }
  });

  test("shards that are missing in an answer are named with their repository, and it is not kept", async () => {
    const shard = { shard: 2, n_files: 5, code: "shard.late", message: "late" };
    let n_asked = 0;
    const partial = (/** @type {string} */ address) => {
      n_asked++;
      const { body } = answerOf(address);
      const json = JSON.parse(new TextDecoder().decode(body));
      if (address.includes("00007")) json.missing_shards = [shard];
      return { status: 200, body: new TextEncoder().encode(JSON.stringify(json)) };
    };
    const env = { SNAPSHOTS: bucketOf(40), SHARDS: objectsOf(partial) };
    for (const n_before of [0, 40]) {
      assert.equal(n_asked, n_before);
      const { json } = await searchAll(new Request(url), "", { env, here });
      assert.deepEqual(json.missing_shards, [{ repo: "team/r00007", ...shard }]);
      assert.deepEqual([json.n_missing_shards, json.hits.length], [1, 3]);
    }
  });

  test("a posted query is in the answer, even where nobody was reached", async () => {
    const SHARDS = objectsOf(answerOf, () => pause(3_000));
    const env = { SNAPSHOTS: bucketOf(100), SHARDS, ALL_MILLIS: "1" };
    const request = new Request("https://worker/v1/search?repo=*", { method: "POST" });
    const { json } = await searchAll(request, '{"query": "add", "limit": 3}', { env, here });
    assert.deepEqual([json.query, json.late.n_repositories, json.hits], ["add", 100, []]);
  });

  test("a group that is late or fails is named, and the answer is not kept", async () => {
    let isSlow = true;
    let slow = "";
    const SHARDS = objectsOf(answerOf, async (group) => {
      slow ||= group;
      if (isSlow && group === slow) await pause(3_000);
      else if (isSlow && slow !== "" && SHARDS.groups.size === 2) throw new Error("the object was reset");
    });
    const env = { SNAPSHOTS: bucketOf(100), SHARDS, ALL_MILLIS: "100" };
    const started = performance.now();
    const { json } = await searchAll(new Request(url), "", { env, here });
    assert.ok(performance.now() - started < 2_000);
    assert.ok(json.late.n_repositories > 0 && json.late.n_repositories < 100, JSON.stringify(json.late));
    assert.deepEqual(json.late.repositories.length, json.late.n_repositories);
    assert.ok(json.hits.length > 0);
    isSlow = false;
    assert.equal((await searchAll(new Request(url), "", { env, here })).json.late, undefined);
  });

  test("a group stops at its deadline and names the rest", async () => {
    const repositories = ["a00001", "b00002", "c00003"];
    const asked = { group: "three", repositories, method: "GET", url, body: "", limit: 3, millis: 30 };
    const { json, late } = await searchGroup(asked, async (address) => {
      await pause(40);
      return answerOf(address);
    });
    const [{ repo }] = json.hits;
    assert.deepEqual([json.hits.length, late], [1, repositories.filter((name) => name !== repo)]);
  });

  test("a repository that is opened for too long costs its own answer only", async () => {
    const repositories = ["a00001", "b00002"];
    const asked = { group: "slow", repositories, method: "GET", url, body: "", limit: 3, millis: 30 };
    const started = performance.now();
    const slow = new Set(["b00002"]);
    const found = await searchGroup(
      asked,
      async (address) => {
        if (slow.has(new URL(address).searchParams.get("repo") ?? "")) await pause(3_000);
        return answerOf(address);
      },
      () => ["a00001"],
    );
    assert.ok(performance.now() - started < 2_000);
    assert.deepEqual([found.json.hits.length, found.late], [1, ["b00002"]]);
  });

  test("those that cannot be read are counted; a fault of the request is told once", async () => {
    const failing = (/** @type {string} */ address) =>
      /r00[0-4]/.test(address)
        ? { status: 502, body: new TextEncoder().encode('{"code":"snapshot.damaged","message":"damaged"}') }
        : answerOf(address);
    const env = { SNAPSHOTS: bucketOf(1_000), SHARDS: objectsOf(failing) };
    const { json } = await searchAll(new Request(url), "", { env, here });
    assert.deepEqual([json.n_failed, json.failed.length, json.total], [500, 100, 1_000]);
    const wrong = { status: 400, body: new TextEncoder().encode('{"code":"request.parameter","message":"limit"}') };
    const refused = { SNAPSHOTS: bucketOf(1_000), SHARDS: objectsOf(() => wrong) };
    const answer = await searchAll(new Request(`${url}&limit=4`), "", { env: refused, here });
    assert.deepEqual([answer.status, answer.json.code], [400, "request.parameter"]);
  });
});

describe("a group of 32 repositories of which five fit", () => {
  const names = Array.from({ length: 32 }, (_, at) => `r${String(at).padStart(2, "0")}`);
  /** An isolate that keeps five open; opening takes 100 ms of a clock that only it moves, an answer 1. @param {import("node:test").TestContext} t */
  const isolateOf = (t) => {
    t.mock.timers.enable({ apis: ["Date"] });
    /** @type {string[]} the least recently used first */
    let open = [];
    let n = 0;
    return {
      async search(group = t.name) {
        const [before, asked] = [[...open], /** @type {string[]} */ ([])];
        const url = `https://worker/v1/search?repo=*&q=${n++}`;
        const question = { group, repositories: names, method: "GET", url, body: "", limit: 50, millis: 1_000 };
        const { json, late } = await searchGroup(
          question,
          async (address) => {
            const repo = new URL(address).searchParams.get("repo") ?? "";
            t.mock.timers.tick(open.includes(repo) ? 1 : 100);
            open = [...open.filter((one) => one !== repo), repo].slice(-5);
            asked.push(repo);
            const answer = { query: "", total: 1, hits: [{ path: "a.js", score: 1 }] };
            return { status: 200, body: new TextEncoder().encode(JSON.stringify(answer)) };
          },
          () => open,
        );
        return { before, asked, late, found: json.hits.map((/** @type {{ repo: string }} */ { repo }) => repo).sort() };
      },
    };
  };

  test("those that are open are asked first", async (t) => {
    const isolate = isolateOf(t);
    assert.equal((await isolate.search()).before.length, 0);
    for (let n = 0; n < 4; n++) {
      const { before, asked } = await isolate.search();
      assert.deepEqual(asked.slice(0, 5), before);
      assert.equal(before.length, 5);
      assert.equal(new Set(asked).size, asked.length);
    }
  });

  test("each is reached within four searches, which go on where the last one ended", async (t) => {
    const isolate = isolateOf(t);
    const reached = new Set();
    for (let n = 0; n < 4; n++) for (const name of (await isolate.search()).asked) reached.add(name);
    assert.deepEqual([...reached].sort(), names);
  });

  test("new isolates do not begin at the same place", async (t) => {
    const isolate = isolateOf(t);
    const firsts = new Set();
    for (let n = 0; n < 40; n++) firsts.add((await isolate.search(`group ${n}`)).asked[5]);
    assert.ok(firsts.size > 8, `${firsts.size} places of 27`);
  });

  test("the answer names those that were not asked", async (t) => {
    const isolate = isolateOf(t);
    for (let n = 0; n < 3; n++) {
      const { asked, late, found } = await isolate.search();
      assert.deepEqual(found, [...asked].sort());
      assert.deepEqual([...asked, ...late].sort(), names);
      assert.ok(late.length > 10, `${late.length}`);
    }
  });
});

describe("groups", () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `team/r${at}`);
  const MIB = 1024 * 1024;
  const nOf = (/** @type {(name: string) => number} */ bytesOf) =>
    Number([...groupsOf(names, bytesOf, 64 * MIB).keys()][0]?.split(" of ")[1]);

  test("have as many repositories as fit into an isolate by their sizes", () => {
    assert.equal(
      nOf(() => 1),
      32,
      "32 of the smallest",
    );
    assert.equal(
      nOf(() => 11 * MIB),
      256,
      "five of 11 MiB",
    );
    assert.equal(
      nOf(() => 500 * MIB),
      1_024,
      "one that does not fit",
    );
    assert.equal(
      nOf(() => 0),
      128,
      "eight of unknown size",
    );
  });

  test("few repositories change their group when some are added", () => {
    const before = groupsOf(names.slice(0, 990), () => 0, 64 * MIB);
    const after = groupsOf(names, () => 0, 64 * MIB);
    for (const [group, repositories] of before)
      assert.deepEqual(
        after.get(group)?.filter((name) => repositories.includes(name)),
        repositories,
      );
  });

  test("are one where each is answered in this isolate", () => {
    assert.deepEqual([...groupsOf(names, () => 0, Number.POSITIVE_INFINITY).values()], [names]);
  });
});

describe("shards", () => {
  /** A root over `n` shards that wants a survey and a part of each, as the one of the wasm does. @param {number} n */
  const rootOf = (n) => {
    const answers = new Map();
    const lost = new Map();
    const asked = {
      get n_absent() {
        return lost.size;
      },
      message: (/** @type {number} */ shard) => new Uint8Array([shard]),
      take: (/** @type {number} */ shard, /** @type {Uint8Array} */ bytes) =>
        answers.set(shard, [...(answers.get(shard) ?? []), bytes[0]]),
      free: () => {},
    };
    const lacking = (/** @type {number} */ round) =>
      Array.from({ length: n }, (_, shard) => shard).filter(
        (shard) => !lost.has(shard) && (answers.get(shard)?.length ?? 0) === round,
      );
    return {
      answers,
      lost,
      begin: () => asked,
      answer: () => ({ free: () => {}, isAnswer: true }),
      names: () => JSON.stringify(Array.from({ length: n }, (_, shard) => `name${shard}`)),
      wanted: () => {
        const surveys = lacking(0);
        return JSON.stringify({ starts: [], pieces: [], surveys, parts: surveys.length > 0 ? [] : lacking(1) });
      },
      lose: (/** @type {any} */ _, /** @type {number} */ shard, /** @type {string} */ code) => lost.set(shard, code),
    };
  };
  /** Objects of shards, which answer with their number after a while. @param {(key: string) => Promise<void>} before */
  const shardsOf = (before) => ({
    idFromName: (/** @type {string} */ name) => name,
    get: (/** @type {string} */ key) => ({
      fetch: async (/** @type {string} */ _, /** @type {any} */ init) => {
        await before(key);
        return new Response(init.body);
      },
    }),
  });
  /** @param {any} root  @param {any} env  @param {boolean} [isSearch] */
  const ask = (root, env, isSearch = true) =>
    askAll(/** @type {const} */ (["GET", "", "", ""]), {
      root,
      env,
      isSearch,
      repository: "large",
      context: { waitUntil: () => {} },
      indexes: /** @type {any} */ (undefined),
      makeRoom: () => {},
    });

  test("all are asked at once in both rounds", async () => {
    const root = rootOf(32);
    const started = performance.now();
    const { nAbsent } = await ask(root, { SHARDS: shardsOf(() => pause(40)) });
    assert.ok(performance.now() - started < 40 * 16, "not one after the other");
    assert.equal(nAbsent, 0);
    assert.deepEqual(root.answers.get(7), [7, 7]);
  });

  test("one that is late and one that throws are lost, each with its code", async () => {
    const root = rootOf(5);
    const SHARDS = shardsOf(async (key) => {
      if (key === "large-name1") await pause(2_000);
      if (key === "large-name3") throw new Error("reset");
    });
    const { nAbsent } = await ask(root, { SHARDS, SHARD_MILLIS: "80" });
    assert.equal(nAbsent, 2);
    assert.deepEqual(
      [...root.lost].sort(([one], [other]) => one - other),
      [
        [1, "shard.late"],
        [3, "shard.failed"],
      ],
    );
    assert.deepEqual(root.answers.get(4), [4, 4]);
  });

  test("a refusal of a shard keeps its code; a fault of the request ends the question", async () => {
    const refusing = (/** @type {string} */ code) => ({
      ...shardsOf(async () => {}),
      get: () => ({ fetch: async () => Response.json({ code, message: "no" }, { status: 500 }) }),
    });
    const root = rootOf(2);
    // The last one that is lost would leave nothing.
    await assert.rejects(ask(root, { SHARDS: refusing("query.unsupported") }), { code: "query.unsupported" });
    const other = rootOf(3);
    let n = 0;
    const SHARDS = { ...shardsOf(async () => {}), get: () => ({ fetch: async () => one(n++) }) };
    const one = (/** @type {number} */ at) =>
      at === 0 ? Response.json({ code: "snapshot.not-found", message: "gone" }, { status: 404 }) : new Response("x");
    await ask(other, { SHARDS });
    assert.deepEqual([...other.lost], [[0, "snapshot.not-found"]]);
    await assert.rejects(
      ask(rootOf(2), { SHARDS: refusing("snapshot.damaged") }, false),
      { code: "snapshot.damaged" },
      "no tool but a search goes on without a shard",
    );
  });
});
