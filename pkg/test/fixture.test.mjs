// The folder of a test stays until the test's own hooks have run.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";

test("a hook writes into the folder of its test, and the folder goes with the process", () => {
  const script = `
    import { writeFileSync } from "node:fs";
    import { after, test } from "node:test";
    import { folderWith } from ${JSON.stringify(new URL("fixture.mjs", import.meta.url).href)};
    const folder = folderWith({ "a.txt": "a" });
    console.log("folder", folder);
    test("passes", () => {});
    after(() => {
      writeFileSync(folder + "/b.txt", "b");
      console.log("written");
    });
  `;
  const env = { ...process.env };
  delete env.NODE_TEST_CONTEXT;
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    env,
  });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^written$/m);
  const [, folder] = /folder (\S+)/.exec(stdout);
  assert.ok(!existsSync(folder), folder);
});
