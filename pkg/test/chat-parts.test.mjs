// Parts of the chat that need no server: the limiter, citations, conversations as they are kept, the model of a browser.
import assert from "node:assert/strict";
import { test } from "node:test";

import { durationOf, RateLimiter } from "../dist/chat/limiter.js";
import { retryAfterOf } from "../dist/chat/failure.js";
import {
  Chat,
  conversationOf,
  newConversation,
  openModel,
  Places,
  piecesOf,
  placesKept,
  titleOf,
  withTurn,
} from "../dist/entry/chat.js";
import { agreeing, eventsOf, fastClock, indexOf, turnOf } from "./chat-fake.mjs";

const signal = new AbortController().signal;

test("the window rolls: a request waits until the oldest one is a minute old", async () => {
  const clock = fastClock(0);
  const limiter = new RateLimiter({ requests: 2 }, clock);
  await limiter.admit(1, signal);
  clock.pass(10_000);
  await limiter.admit(1, signal);
  assert.equal(limiter.waitFor(1), 50_000);
  await limiter.admit(1, signal);
  assert.deepEqual(clock.slept, [50_000]);
});

test("tokens have a window of their own; a request larger than it goes out alone", async () => {
  const clock = fastClock(0);
  const limiter = new RateLimiter({ tokens: 1000 }, clock);
  const ticket = await limiter.admit(400, signal);
  assert.equal(limiter.waitFor(600), 0);
  limiter.succeeded(ticket, 900);
  assert.equal(limiter.waitFor(600), 60_000);
  await limiter.admit(5000, signal);
  assert.deepEqual(clock.slept, [60_000]);
});

test("a refusal halves the window, successes open it again", async () => {
  const clock = fastClock(0);
  const limiter = new RateLimiter({}, clock, () => 0.5);
  assert.equal(limiter.rate, Infinity);
  const tickets = [];
  for (let n = 0; n < 8; n++) tickets.push(await limiter.admit(1, signal));
  limiter.refused(tickets[7]);
  assert.equal(limiter.rate, 4);
  limiter.refused(tickets[6]);
  assert.equal(limiter.rate, 2);
  assert.equal(limiter.waitFor(1), 60_000, "six were sent in this window");
  for (const ticket of tickets.slice(0, 3)) limiter.succeeded(ticket, 1);
  assert.equal(limiter.rate, 5);
});

test("a host that says when to come back is believed", async () => {
  const clock = fastClock(0);
  const limiter = new RateLimiter({}, clock);
  await limiter.admit(1, signal);
  await limiter.admit(1, signal);
  const ticket = await limiter.admit(1, signal);
  limiter.refused(ticket, 1000);
  assert.equal(limiter.rate, 1);
  assert.equal(limiter.waitFor(1), 1000);
});

test("what a host says of its limits is obeyed before it refuses", () => {
  const clock = fastClock(0);
  const limiter = new RateLimiter({}, clock);
  limiter.heed({ "x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": "9s" });
  assert.equal(limiter.waitFor(1), 0);
  limiter.heed({ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m2.5s" });
  assert.equal(limiter.waitFor(1), 62_500);
  const other = new RateLimiter({}, clock);
  other.heed({
    "anthropic-ratelimit-requests-remaining": "0",
    "anthropic-ratelimit-requests-reset": new Date(5000).toISOString(),
  });
  assert.equal(other.waitFor(1), 5000);
});

test("durations and dates of hosts", () => {
  assert.deepEqual(
    ["250ms", "6m0s", "1h", "12", "soon"].map((text) => durationOf(text, 0)),
    [250, 360_000, 3_600_000, 12_000, undefined],
  );
  assert.equal(retryAfterOf({ "retry-after-ms": "1500", "retry-after": "9" }, 0), 1500);
  assert.equal(retryAfterOf({ "retry-after": new Date(4000).toUTCString() }, 0), 4000);
  assert.equal(retryAfterOf({ "retry-after": "-5" }, 0), 0);
  assert.equal(retryAfterOf({}, 0), undefined);
});

test("stop ends a wait", async () => {
  const stop = new AbortController();
  const clock = {
    now: () => 0,
    sleep: () => new Promise((_, reject) => stop.signal.addEventListener("abort", () => reject(new Error("ended")))),
  };
  const limiter = new RateLimiter({ requests: 1 }, clock);
  await limiter.admit(1, stop.signal);
  const waiting = limiter.admit(1, stop.signal);
  stop.abort();
  await assert.rejects(waiting, /ended/);
});

const places = new Places([
  { path: "src/a.ts", n_lines: 30 },
  { path: "src/[id]/b.ts", n_lines: 5 },
]);
places.note([{ path: "src/a.ts", from: 1, to: 9 }]);

function check(text, expected) {
  const shown = piecesOf(text, places).map((piece) =>
    typeof piece === "string" ? piece : `<${piece.path} ${piece.from} ${piece.to} ${piece.state}>`,
  );
  assert.deepEqual(shown, expected);
}

test("places in an answer, in the forms in which models write them", () => {
  check("See [src/a.ts:3-5].", ["See ", "<src/a.ts 3 5 read>", "."]);
  check("[./src/a.ts:L20–L21]", ["<src/a.ts 20 21 known>"]);
  check("[src/a.ts:1, 8-10; src/a.ts:30]", ["<src/a.ts 1 1 read>", "<src/a.ts 8 10 read>", "<src/a.ts 30 30 known>"]);
  check("【src/a.ts:2】", ["<src/a.ts 2 2 read>"]);
});

test("lines that there are not, and files that there are not", () => {
  check("[src/a.ts:31]", ["<src/a.ts 31 31 unknown>"]);
  check("[src/a.ts:9-3]", ["<src/a.ts 9 3 unknown>"]);
  check("[src/a.ts:0]", ["<src/a.ts 0 0 unknown>"]);
  check("[../../etc/passwd:1]", ["<../../etc/passwd 1 1 unknown>"]);
});

test("brackets that name no place stay text", () => {
  for (const text of [
    "an array[0]",
    "[link](https://a.example:80)",
    "[x]",
    "[12:30]x",
    "[a:b]",
    "unclosed [src/a.ts:3",
  ])
    assert.ok(
      piecesOf(text, places).every((piece) => typeof piece === "string" || text === "[12:30]x"),
      text,
    );
});

const turn = {
  question: "What\nis it?",
  answer: "A shop [src/a.ts:1].",
  steps: [{ id: "1", tool: "read_file", input: { path: "src/a.ts" }, state: "done", text: "x".repeat(5000) }],
  citations: [{ path: "src/a.ts", from: 1, to: 1, state: "read" }],
  model: "server:m",
  usage: { input: 1, output: 2, isEstimate: false },
  cost: undefined,
  at: 5,
  stopped: "",
};

test("a conversation is read back as it was kept", () => {
  const kept = withTurn(newConversation("shop", 1), turn);
  assert.equal(titleOf(kept), "What is it?");
  assert.equal(kept.turns[0].steps[0].text.length, 400);
  const read = conversationOf(JSON.parse(JSON.stringify(kept)));
  assert.deepEqual(read, kept);
  const [, cited] = piecesOf(read.turns[0].answer, placesKept(read.turns[0].citations));
  assert.equal(cited.state, "read");
});

test("what is no conversation is not taken for one", () => {
  const kept = withTurn(newConversation("shop", 1), turn);
  const broken = [
    null,
    "text",
    [],
    { ...kept, v: 2 },
    { ...kept, turns: {} },
    { ...kept, turns: [{ ...turn, answer: 5 }] },
    { ...kept, turns: [{ ...turn, usage: { input: -1, output: 0 } }] },
    { ...kept, at: "now" },
  ];
  for (const value of broken) assert.equal(conversationOf(value), undefined, JSON.stringify(value));
});

test("the model of a browser answers linear questions, and is none where there is none", async (t) => {
  await assert.rejects(openModel({ provider: "browser", model: "" }), { code: "chat.built-in" });
  const created = [];
  globalThis.LanguageModel = {
    availability: async () => "available",
    create: async (options) => {
      created.push(options);
      return {
        promptStreaming: (input) => ReadableStream.from([`${input.split("\n")[0]}: `, "[src/a.ts:1]"]),
        destroy: () => created.push("destroyed"),
      };
    },
  };
  t.after(() => delete globalThis.LanguageModel);
  const model = await openModel({ provider: "browser", model: "" });
  const index = indexOf({ "src/a.ts": "const a = 1;\n" });
  const chat = new Chat({ index, models: [model], review: agreeing(), clock: fastClock() });
  const answered = turnOf(await eventsOf(chat, "What is a?"));
  assert.equal(answered.answer, "What is a?: [src/a.ts:1]");
  assert.equal(answered.citations[0].state, "read");
  assert.equal(created[0].initialPrompts[0].role, "system");
  assert.equal(created[1], "destroyed");
});
