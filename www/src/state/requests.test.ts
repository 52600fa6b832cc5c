import assert from "node:assert/strict";
import { test } from "node:test";
import { byHost, joined, statementOf, verdictOf, whyOf } from "./requests.ts";
import type { Seen, Timed } from "./seen.ts";

const own = "https://page.example/";
const timed = (url: string, change: Partial<Timed> = {}): Timed => ({
  url,
  from: "page",
  by: "fetch",
  at: 1000,
  end: 1100,
  network: 300,
  body: 200,
  ...change,
});
const seen = (url: string, change: Partial<Seen> = {}): Seen => ({
  id: `${url} ${change.at ?? 1010}`,
  url,
  method: "GET",
  destination: "",
  at: 1010,
  sent: 0,
  ...change,
});

test("an entry and an event of the same request are one", () => {
  const all = joined([timed(`${own}a.wasm`)], [seen(`${own}a.wasm`)], own);
  assert.equal(all.length, 1);
  assert.deepEqual([all[0]!.method, all[0]!.sent, all[0]!.came], ["GET", 0, 300]);
});

test("the same address twice is two requests, each with its own event", () => {
  const all = joined(
    [timed(`${own}a`, { at: 5000, end: 5100 }), timed(`${own}a`)],
    [seen(`${own}a`, { at: 5010, method: "POST", sent: 7 }), seen(`${own}a`)],
    own,
  );
  assert.deepEqual(
    all.map(({ at, method, sent }) => [at, method, sent]),
    [
      [1000, "GET", 0],
      [5000, "POST", 7],
    ],
  );
});

test("the program of a worker is one request, although its entry begins later", () => {
  const url = `${own}parse.js`;
  const all = joined(
    [timed(url, { at: 9000, end: 9001, by: "other", network: 0 })],
    [seen(url, { destination: "worker" })],
    own,
  );
  assert.deepEqual(
    all.map(({ method, sent }) => [method, sent]),
    [["GET", 0]],
  );
});

test("an event without an entry is listed: it is still under way, or was refused", () => {
  const all = joined([], [seen("https://other.example/v1", { method: "POST", sent: 42 })], own);
  assert.deepEqual([all[0]!.host, all[0]!.sent, all[0]!.came], ["other.example", 42, null]);
});

test("an entry without an event does not tell its method, unless an element made it", () => {
  const [byScript, byElement] = joined([timed(`${own}a`), timed(`${own}b.css`, { by: "link", at: 1001 })], [], own);
  assert.deepEqual([byScript!.method, byScript!.sent], ["", null]);
  assert.deepEqual([byElement!.method, byElement!.sent], ["GET", 0]);
});

test("bytes of another host that may not be known are unknown, and own files from this browser are none", () => {
  const hidden = joined([timed("https://other.example/x", { network: 0, body: 0 })], [], own)[0]!;
  assert.deepEqual([hidden.came, hidden.kept], [null, false]);
  const kept = joined([timed(`${own}x`, { network: 0, body: 500 })], [], own)[0]!;
  assert.deepEqual([kept.came, kept.kept], [0, true]);
});

test("the statement says what was sent, and what is not known", () => {
  const clean = joined([timed(`${own}a`)], [seen(`${own}a`)], own);
  assert.equal(statementOf(verdictOf(clean, 0)), "0 bytes of your code sent");
  const sent = joined([], [seen("https://ai.example/v1", { method: "POST", sent: 4200 })], own);
  assert.equal(statementOf(verdictOf(sent, 0)), "4.2 kB sent to ai.example");
  const two = [...sent, ...joined([], [seen("https://b.example/", { method: "PUT", sent: 800 })], own)];
  assert.equal(statementOf(verdictOf(two, 0)), "5.0 kB sent to 2 hosts");
  const unseen = joined([timed(`${own}a`)], [], own);
  assert.equal(statementOf(verdictOf(unseen, 500)), "0 bytes seen leaving, 1 request not fully seen");
});

test("what the service worker passes on is one request with the page's, and its own are listed", () => {
  const all = joined(
    [
      timed(own, { by: "navigation", network: 0 }),
      timed(own, { from: "service worker", at: 1050, network: 900 }),
      timed(`${own}index.html`, { from: "service worker", at: 1200 }),
    ],
    [seen(own)],
    own,
  );
  assert.deepEqual(
    all.map(({ url, came, kept, sent }) => [url, came, kept, sent]),
    [
      [own, 900, false, 0],
      [`${own}index.html`, 300, false, null],
    ],
  );
  assert.equal(verdictOf(all, 0).state, "clean");
});

test("a body that could not be read makes nobody sure", () => {
  const all = joined([], [seen("https://b.example/", { method: "POST", sent: null })], own);
  assert.equal(verdictOf(all, 0).state, "unsure");
});

test("what was asked before code was at hand cannot hold any", () => {
  const early = joined([timed(`${own}a`, { at: 100, end: 200 })], [], own);
  assert.equal(verdictOf(early, 150).state, "clean");
  assert.equal(verdictOf(early, null).state, "clean");
});

test("requests by host, this site first even without any", () => {
  const all = joined([timed("https://b.example/1"), timed("https://b.example/2", { network: 0, body: 0 })], [], own);
  assert.deepEqual(
    byHost(all, "page.example").map(({ host, came, isPart, requests }) => [host, came, isPart, requests.length]),
    [
      ["page.example", 0, false, 0],
      ["b.example", 300, true, 2],
    ],
  );
});

test("reasons: parts of the page, allowed hosts, reasons that were given, and none", () => {
  const why = (url: string, allowed: string[] = [], reasons = new Map<string, string>()) =>
    whyOf({ url, host: new URL(url).host }, "page.example", allowed, reasons);
  assert.equal(why(`${own}assets/tree-sitter-go-1.wasm`), "grammar");
  assert.equal(why(`${own}?x`), "the page itself");
  assert.equal(why(`${own}other.bin`), "file of this site");
  assert.match(why("https://api.example/x", ["https://api.example"]), /you allowed this host/);
  assert.equal(why("https://api.example/x"), "not allowed by you");
  assert.equal(why("https://api.example/x", [], new Map([["https://api.example", "chat"]])), "chat");
});
