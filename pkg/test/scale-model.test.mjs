// The cost model computes what Cloudflare's own examples of its pricing page say.
import assert from "node:assert/strict";
import { test } from "node:test";

import { charge, HABITS, limitsOf, month, PRICES } from "../../tests/benches/scale-model.mjs";

const operations = (a, b, requests = 1) => ({ a, b, requests });
const MEASURED = {
  chunks: 1000,
  bytes: 1e6,
  new_bytes: 5e5,
  needed_bytes: 1e6,
  list: { each: 1, pages: 2 },
  push: operations(20, 10, 30),
  pull: operations(0, 20, 25),
  cold: operations(0, 8),
  warm: operations(0, 1),
  cpu_ms: { warm: 2, cold: 40, other: 1 },
};

test("the examples of the published prices", () => {
  const cost = (requests, ms) => PRICES.plan + charge(requests, PRICES.requests) + charge(requests * ms, PRICES.cpu_ms);
  assert.equal(cost(15e6, 7).toFixed(2), "8.00");
  assert.equal(cost(100e6, 7).toFixed(2), "45.40");
  assert.equal(charge(5, PRICES.r2_gb_month), 0);
  assert.equal(charge(1000, PRICES.r2_gb_month).toFixed(2), "14.85");
});

test("a small team pays the plan, and every cost grows with use", () => {
  const small = month({ repositories: 1, people: 1, chunks: 1000 }, MEASURED);
  assert.equal(small.dollars, PRICES.plan);
  const large = { repositories: 10_000, people: 1000, chunks: 1e8 };
  const { dollars, parts } = month(large, MEASURED);
  assert.equal(
    dollars.toFixed(6),
    Object.values(parts)
      .reduce((sum, one) => sum + one, 0)
      .toFixed(6),
  );
  for (const more of [{ queries: 400 }, { pushes: 10 }, { pulls: 20 }, { kept: 40 }, { warm: 0.5 }])
    assert.ok(month(large, MEASURED, { ...HABITS, ...more }).dollars > dollars, JSON.stringify(more));
});

test("the nearest limit is first", () => {
  const [first] = limitsOf({ repositories: 10, people: 5, chunks: 1e8 }, MEASURED);
  assert.match(first.what, /memory/);
  assert.ok(first.share > 1);
  const many = limitsOf({ repositories: 50_000, people: 5, chunks: 1000 }, MEASURED);
  assert.match(many[0].what, /repositories of one search/);
  assert.equal(many[0].share, 5);
  // A page of a thousand repositories reads a document of each, and the names of all are read a thousand at a time.
  assert.equal(many.find(({ what }) => what.includes("GET /v1/repos")).share, (1000 + 2 * 50) / 10_000);
});
