// The packed package as two reviewers of packages see it: publint reads its manifest, arethetypeswrong resolves its types as
// every kind of project does. PORTOLAN_TARBALL names one that was packed elsewhere.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const work = mkdtempSync(join(tmpdir(), "portolan-lint-"));
after(() => rmSync(work, { recursive: true, force: true, maxRetries: 5 }));

/** Entries that are no modules for TypeScript: a bundler takes them as files. */
const FILES = [/\.wasm$/, /\.css$/, /\.json$/];

let tarball;
let manifest;
before(() => {
  const source = resolve(process.env.PORTOLAN_TARBALL ?? fileURLToPath(new URL("../../pkg", import.meta.url)));
  const options = {
    cwd: work,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  };
  const args = ["pack", source, "--json", "--ignore-scripts", "--pack-destination", work];
  const [{ filename }] = JSON.parse(execFileSync("npm", args, options));
  tarball = readFileSync(join(work, filename));
  manifest = JSON.parse(
    execFileSync("tar", ["-xzOf", join(work, filename), "package/package.json"], { encoding: "utf8" }),
  );
});

test("publint finds nothing in the manifest", async () => {
  const { buffer, byteOffset, length } = tarball;
  const { messages } = await publint({
    pack: { tarball: buffer.slice(byteOffset, byteOffset + length) },
    level: "suggestion",
  });
  assert.deepEqual(
    messages.map((message) => `${message.type}: ${formatMessage(message, manifest, { color: false })}`),
    [],
  );
});

test("every entry has types wherever it is imported from", async () => {
  const { problems, entrypoints } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  const modules = Object.keys(entrypoints).filter((entry) => FILES.every((file) => !file.test(entry)));
  assert.ok(modules.length > 3, `only ${modules}`);
  assert.deepEqual(problems.filter((problem) => !isMeant(problem, modules)).map(inWords), []);
});

/** A package of ES modules alone: `require` of one is for Node to allow, and TypeScript's oldest resolution reads no `exports`. */
function isMeant({ kind, entrypoint, resolutionKind }, modules) {
  if (entrypoint !== undefined && !modules.includes(entrypoint)) return true;
  return kind === "CJSResolvesToESM" || resolutionKind === "node10";
}

function inWords({ kind, entrypoint = "", resolutionKind = "", ...rest }) {
  return `${kind} ${entrypoint} ${resolutionKind} ${rest.fileName ?? rest.typesFileName ?? ""}`;
}
