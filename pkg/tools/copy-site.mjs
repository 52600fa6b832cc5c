// Copies the built page beside the package, for `portolan build`. Files of the package (wasm, grammars, model) are not
// copied again:
// site/files.json says which of its files each one is.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const pkg = fileURLToPath(new URL("..", import.meta.url));
const page = fileURLToPath(new URL("../../www/dist", import.meta.url));
const site = join(pkg, "site");

const filesUnder = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .sort();
const digest = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");
const named = (from, path) => relative(from, path).split(sep).join("/");

const ours = new Map(
  ["wasm", "grammars", "model"].flatMap((folder) =>
    filesUnder(join(pkg, folder))
      .filter((path) => /\.(wasm|bin|json)$/.test(path))
      .map((path) => [digest(path), named(pkg, path)]),
  ),
);

rmSync(site, { recursive: true, force: true });
const files = {};
for (const path of filesUnder(page)) {
  const name = named(page, path);
  if (name.startsWith("sample/") || name.endsWith(".map")) continue;
  const known = ours.get(digest(path));
  files[name] = known ?? `site/page/${name}`;
  if (known) continue;
  mkdirSync(dirname(join(site, "page", name)), { recursive: true });
  cpSync(path, join(site, "page", name));
}
writeFileSync(join(site, "files.json"), `${JSON.stringify(files, null, 1)}\n`);
