import assert from "node:assert/strict";
import { test } from "node:test";
import { PAGE_POLICY } from "../../../pkg/src/cli/page-headers.ts";
import { admitting, originsOf } from "./allowed-hosts.ts";

test("exactly the allowed origins are added, once, to connections only", () => {
  const policy = admitting(PAGE_POLICY, ["https://api.example.org", "http://127.0.0.1:8123"]);
  assert.equal(
    policy,
    PAGE_POLICY.replace("connect-src 'self'", "connect-src 'self' https://api.example.org http://127.0.0.1:8123"),
  );
  assert.equal(admitting(PAGE_POLICY, []), PAGE_POLICY);
  const page = `<meta content="${PAGE_POLICY.replaceAll("'", "&#39;")}">connect-src 'self'`;
  assert.equal(admitting(page, ["https://a.example"]).match(/https:\/\/a\.example/g)?.length, 1);
});

test("nothing but an origin gets into a policy", () => {
  const bad = [
    "https://a.example; script-src *",
    "https://a.example/path",
    "*",
    "https:",
    "data:",
    "http://a.example",
    7,
    null,
    "https://A.example",
    "https://user@a.example",
    "https://a.example 'unsafe-inline'",
  ];
  assert.deepEqual(originsOf(bad), []);
  assert.deepEqual(originsOf("https://a.example"), []);
  assert.deepEqual(originsOf(["https://a.example", "https://a.example"]), ["https://a.example"]);
});
