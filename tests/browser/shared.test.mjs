// The page of a server of shared indexes: it lists what the token may read, opens one of them in place of a local index, and answers from it.
// The server is `portolan serve --shared`; a proxy gives the folder of `portolan build --for-team` and passes requests on, as docs/shared.md says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, request as ask } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { makeIndex, REPOSITORY, startNode } from "../contract/servers.mjs";
import { browse, problemsOf, resultPaths, searchFor, types } from "./harness.mjs";
import { accessible } from "./looks.mjs";

const PORTOLAN = new URL("../../pkg/bin/portolan.js", import.meta.url).pathname;
const site = mkdtempSync(join(tmpdir(), "portolan-team-page-"));
let server;
let front;

before(async () => {
  execFileSync(process.execPath, [PORTOLAN, "build", "--for-team", "-o", site], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  server = await startNode(makeIndex());
  front = await proxy();
});
after(async () => {
  await front?.stop();
  await server?.stop();
  rmSync(site, { recursive: true, force: true });
});

/** Gives the page, and passes requests for the server on. `asked` has the addresses of these, and whether they came with a token. */
async function proxy() {
  const asked = [];
  const policy = /Content-Security-Policy: (.*)/.exec(readFileSync(join(site, "_headers"), "utf8"))[1];
  const own = createServer(async (request, response) => {
    if (request.url.startsWith("/v1/")) {
      asked.push({ url: request.url, hasToken: request.headers.authorization !== undefined });
      const { host: _, ...headers } = request.headers;
      const passed = ask(`${server.url}${request.url}`, { method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      passed.on("error", () => response.destroy());
      return request.pipe(passed);
    }
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname).slice(1) || "index.html";
    try {
      const body = await readFile(join(site, path));
      const type = types[extname(path)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "content-security-policy": policy }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => own.listen(0, "127.0.0.1", resolve));
  const stop = () => new Promise((resolve) => own.close(resolve) && own.closeAllConnections());
  return { url: `http://127.0.0.1:${own.address().port}/`, asked, stop };
}

const shared = (page) => page.getByRole("region", { name: "Shared indexes" });

async function show(page, token) {
  await shared(page).getByLabel("Token").fill(token);
  await shared(page).getByRole("button", { name: "Show" }).click();
}

test("without a token nothing is listed; one that may read opens an index, which answers in the tab", async (t) => {
  const page = await browse(t);
  await page.goto(front.url);
  await shared(page).getByRole("alert").getByText("this needs a token").waitFor();
  await accessible(page, "a token is needed");
  await show(page, "ptl_wrong");
  await shared(page).getByRole("alert").getByText("the token is unknown").waitFor();
  await show(page, server.tokens.read);
  const link = shared(page).getByRole("link", { name: new RegExp(REPOSITORY) });
  await link.waitFor();
  await accessible(page, "the list");
  await link.click();
  await page.getByRole("heading", { level: 1, name: `shared/${REPOSITORY}` }).waitFor();
  const n_asked = front.asked.length;
  await searchFor(page, "value added tax");
  assert.equal((await resultPaths(page))[0], "src/tax.ts");
  // Questions are answered here: the server has nothing to do with them.
  assert.equal(front.asked.length, n_asked);
  assert.deepEqual(
    front.asked.map(({ url }) => url).filter((url) => url !== "/v1/repos"),
    [`/v1/repos/${encodeURIComponent(REPOSITORY)}/index`],
  );
  assert.deepEqual(
    problemsOf(page).filter((problem) => !/status of 401/.test(problem)),
    [],
  );
});

test("a link to a shared index asks for a token, and opens it from the list when the token is there", async (t) => {
  const page = await browse(t);
  const isAsked = page.waitForResponse((response) => response.url().endsWith("/index"));
  await page.goto(`${front.url}#/?r=${encodeURIComponent(`shared/${REPOSITORY}`)}`);
  assert.equal((await isAsked).status(), 401);
  await page.locator(".notice", { hasText: "this needs a token" }).waitFor();
  await show(page, server.tokens.read);
  await shared(page)
    .getByRole("link", { name: new RegExp(REPOSITORY) })
    .click();
  await page.getByRole("heading", { level: 1, name: `shared/${REPOSITORY}` }).waitFor();
});
