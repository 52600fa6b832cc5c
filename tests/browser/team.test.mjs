// A team's Worker as `portolan create-worker --for-team` makes it, by the steps of its README: the folder in workerd with the page as its static
// assets. Three repositories are pushed, one as it is, one encrypted, one in shards, and the page opens each.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, startWorkerd } from "../../tools/edge/workerd.mjs";
import { browse, problemsOf, resultPaths, searchFor } from "./harness.mjs";
import { accessible } from "./looks.mjs";

const BIN = join(ROOT, "pkg/bin/portolan.js");
/** The program that runs wrangler; `cargo xtask test page` names one. */
const NODE = process.env.PORTOLAN_NODE22 ?? process.execPath;
const PASSPHRASE = "correct horse battery staple";

const world = mkdtempSync(join(tmpdir(), "portolan-team-"));
const team = join(world, "team");
const shop = join(world, "shop");
let worker;
let token;

/** Without the settings and tokens of whoever runs the tests. */
const environment = {
  ...process.env,
  PATH: [dirname(NODE), process.env.PATH].join(delimiter),
  HOME: world,
  XDG_CONFIG_HOME: join(world, ".config"),
  PORTOLAN_NATIVE: "no",
  WRANGLER_SEND_METRICS: "false",
  CI: "true",
};

function run(program, args, { cwd, env = {} }) {
  return new Promise((resolve, reject) =>
    execFile(program, args, { cwd, env: { ...environment, ...env }, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${program} ${args.join(" ")}: ${stdout}${stderr}`)) : resolve(stdout.trim()),
    ),
  );
}

/** The folder with its dependencies: links, since npm would fetch what is built here. */
async function makeTeam() {
  await run(process.execPath, [BIN, "create-worker", team, "--for-team"], { cwd: world });
  const modules = join(team, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  symlinkSync(join(ROOT, "pkg"), join(modules, "portolan"));
  symlinkSync(join(ROOT, "node_modules/wrangler"), join(modules, "wrangler"));
  symlinkSync(BIN, join(modules, ".bin/portolan"));
  symlinkSync(join(ROOT, "node_modules/wrangler/bin/wrangler.js"), join(modules, ".bin/wrangler"));
  await run("npm", ["run", "page"], { cwd: team });
  const args = ["portolan", "token", "create", "--shared", "tokens", "--name", "me", "--scope", "admin"];
  token = await run("npx", args, { cwd: team });
  await run("npm", ["run", "local"], { cwd: team });
}

/** An index of a commit, pushed as it is, encrypted, and in shards. */
async function pushAll(server) {
  mkdirSync(join(shop, "src"), { recursive: true });
  writeFileSync(
    join(shop, "src/tax.ts"),
    "/** Adds value added tax. */\nexport const addTax = (net: number) => net * 1.19;\n",
  );
  writeFileSync(join(world, "secret"), `${PASSPHRASE}\n`);
  writeFileSync(
    join(shop, "src/cart.ts"),
    'import { addTax } from "./tax";\nexport const total = (net: number) => addTax(net);\n',
  );
  const sealed = join(world, "shop.sealed");
  const env = { PORTOLAN_SHARED_SERVER: server, PORTOLAN_SHARED_TOKEN: token };
  const portolan = (...args) => run(process.execPath, [BIN, ...args], { cwd: shop, env });
  const git = (...args) => run("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: shop });
  await git("init", "-q", "-b", "main");
  await git("add", "-A");
  await git("commit", "-qm", "one");
  await portolan("index", "-q");
  await portolan("push", "--repo", "acme/shop");
  await portolan("export", "--passphrase-file", join(world, "secret"), "-o", sealed);
  await portolan("push", "--repo", "acme/secret", "--index", sealed);
  const root = join(world, "large.portolan");
  await portolan("index", "-q", "-o", root, "--shards", "2", "--engine", "wasm");
  await portolan("push", "--repo", "acme/large", "--index", root);
}

before(async () => {
  await makeTeam();
  const state = join(team, ".wrangler/state");
  worker = await startWorkerd({ config: join(team, "wrangler.jsonc"), state, node: NODE });
  await pushAll(worker.url);
});
after(async () => {
  await worker?.stop();
  rmSync(world, { recursive: true, force: true });
});

const shared = (page) => page.getByRole("region", { name: "Shared indexes" });

/** The page of the Worker with the list of its repositories. */
async function listed(t) {
  const page = await browse(t);
  const response = await page.goto(worker.url);
  assert.match(response.headers()["content-security-policy"], /default-src/, "headers of the page's build");
  await shared(page).getByLabel("Token").fill(token);
  await shared(page).getByRole("button", { name: "Show" }).click();
  return page;
}

const open = (page, name) =>
  shared(page)
    .getByRole("link", { name: new RegExp(`^${name}`) })
    .click();

/** Without a token the list is refused, as the page then says. */
const problems = (page) => problemsOf(page).filter((problem) => !/status of 401/.test(problem));

test("the Worker answers for its routes and needs a token; for the rest there is the page", async () => {
  assert.equal((await fetch(`${worker.url}/v1/repos`)).status, 401);
  const headers = { authorization: `Bearer ${token}` };
  const search = await fetch(`${worker.url}/v1/search?repo=acme/shop&q=duty+on+sales&mode=vector`, { headers });
  const { hits, mode } = await search.json();
  assert.deepEqual([hits[0].path, mode], ["src/tax.ts", "vector"], "npm run local brought the model");
  assert.match(await (await fetch(`${worker.url}/`)).text(), /portolan-shared/);
});

test("the page opens a repository of the Worker, and answers from it", async (t) => {
  const page = await listed(t);
  await open(page, "acme/shop");
  await page.getByRole("heading", { level: 1, name: "shared/acme/shop" }).waitFor();
  await searchFor(page, "value added tax");
  assert.equal((await resultPaths(page))[0], "src/tax.ts");
  assert.deepEqual(problems(page), []);
});

test("an encrypted one opens with its passphrase and no other, and the server never has it", async (t) => {
  const page = await listed(t);
  const sent = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await shared(page).getByText("encrypted").waitFor();
  await open(page, "acme/secret");
  const dialog = page.getByRole("dialog", { name: "shared/acme/secret is encrypted" });
  await dialog.getByLabel("Passphrase").fill("incorrect horse");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").getByText("Wrong passphrase. Check letters, case and spaces.").waitFor();
  await accessible(page, "the passphrase of a shared index");
  await dialog.getByLabel("Passphrase").fill(PASSPHRASE);
  await dialog.getByRole("button", { name: "Open" }).click();
  await page.getByRole("heading", { level: 1, name: "shared/acme/secret" }).waitFor();
  await searchFor(page, "value added tax");
  assert.equal((await resultPaths(page))[0], "src/tax.ts");
  assert.deepEqual(
    sent.filter((text) => /horse/.test(decodeURIComponent(text))),
    [],
  );
  const headers = { authorization: `Bearer ${token}` };
  const asked = await fetch(`${worker.url}/v1/status?repo=acme/secret`, { headers });
  assert.equal((await asked.json()).code, "seal.passphrase-missing", "the Worker cannot read it");
  assert.deepEqual(problems(page), []);
});

test("one in shards, which is one file to the server, opens and answers over both shards", async (t) => {
  const page = await listed(t);
  await open(page, "acme/large");
  await page.getByRole("heading", { level: 1, name: "shared/acme/large" }).waitFor();
  await page.getByText("came from this server in 2 shards").waitFor();
  await searchFor(page, "value added tax");
  assert.equal((await resultPaths(page))[0], "src/tax.ts");
  await page.evaluate(() => (location.hash = "#/f/src/tax.ts?r=shared/acme/large&sym=src/tax.ts%23addTax"));
  await page.getByText("cart.ts").first().waitFor();
  assert.deepEqual(problems(page), []);
});
