// After a deploy a cache may still hold a part of the old version: whichever it is, the page says so and what to do, and is never
// just empty.
import { test } from "node:test";
import { browse, searchFor, serve, tarball } from "./harness.mjs";

async function start(t, spoil) {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { serviceWorkers: "block" });
  await spoil(page, site);
  await page.goto(site.url);
  return page;
}

const index = (page) => page.locator("input[name=archive]").setInputFiles(tarball("express"));
const alert = (page, text) => page.getByRole("alert").filter({ hasText: text });

test("the page's own script is gone", async (t) => {
  const page = await start(t, (page) =>
    page.route("**/assets/index-*.js", (route) => route.fulfill({ status: 404, body: "not found" })),
  );
  await alert(page, "The page could not start").waitFor();
  await alert(page, /index-.*\.js could not be loaded.*Reload it/).waitFor();
  await page.unroute("**/assets/index-*.js");
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("button", { name: "Open a folder" }).waitFor();
});

test("the page's script throws as it starts", async (t) => {
  const page = await start(t, (page) =>
    page.route("**/assets/index-*.js", (route) =>
      route.fulfill({ body: "throw new Error('no such function')", contentType: "text/javascript" }),
    ),
  );
  await alert(page, /no such function/).waitFor();
});

test("a host that answers with the page where a script of a worker was", async (t) => {
  const page = await start(t, async (page, site) => {
    const [, own] = /src="\.\/assets\/(index-[^"]+)"/.exec(await (await fetch(site.url)).text());
    await page.route("**/assets/index-*.js", (route) =>
      route.request().url().endsWith(own)
        ? route.continue()
        : route.fulfill({ body: "<!doctype html>", contentType: "text/html" }),
    );
  });
  await index(page);
  await alert(page, "a worker stopped: its program could not be loaded").filter({ hasText: "Shift" }).waitFor();
});

test("the WebAssembly of another version: imports that the JavaScript does not have", async (t) => {
  const page = await start(t, (page) =>
    page.route("**/engine_bg-*.wasm", (route) =>
      route.fulfill({ body: importing("./engine_bg.js", "__wbg_of_tomorrow"), contentType: "application/wasm" }),
    ),
  );
  await index(page);
  await alert(page, "the JavaScript and the WebAssembly of Portolan are of different versions")
    .filter({ hasText: "Shift" })
    .waitFor();
});

test("the WebAssembly of another version: functions that it does not have any more", async (t) => {
  const page = await start(t, async (page) => {
    await page.route("**/engine_bg-*.wasm", async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      const name = Buffer.from("codeindexbuilder_beginWalk");
      // The same module under another name.
      for (let at = body.indexOf(name); at >= 0; at = body.indexOf(name, at + 1)) body.write("X", at + name.length - 1);
      const build = Buffer.from("codeindexbuilder_build");
      for (let at = body.indexOf(build); at >= 0; at = body.indexOf(build, at + 1))
        body.write("X", at + build.length - 1);
      await route.fulfill({ response, body });
    });
  });
  await index(page);
  await alert(page, "are of different versions").filter({ hasText: "Shift" }).waitFor();
});

test("a host that answers with the page where WebAssembly was", async (t) => {
  const page = await start(t, (page) =>
    page.route("**/engine_bg-*.wasm", (route) => route.fulfill({ body: "<!doctype html>", contentType: "text/html" })),
  );
  await index(page);
  await alert(page, "the server answers with a page").filter({ hasText: "reloaded" }).waitFor();
});

test("a part that is loaded later is gone: the code view", async (t) => {
  const page = await start(t, (page) =>
    page.route("**/assets/editor-*.js", (route) => route.fulfill({ status: 404, body: "not found" })),
  );
  await index(page);
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  await searchFor(page, "createApplication");
  await page.locator(".passage-link").first().click();
  await alert(page, "a part of the page could not be loaded").filter({ hasText: "reload it" }).waitFor();
});

/** A module of one import and nothing else. */
function importing(module, name) {
  const text = (words) => [words.length, ...Buffer.from(words)];
  const section = (id, bytes) => [id, bytes.length, ...bytes];
  return Buffer.from([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, [1, 0x60, 0, 0]),
    ...section(2, [1, ...text(module), ...text(name), 0, 0]),
  ]);
}
