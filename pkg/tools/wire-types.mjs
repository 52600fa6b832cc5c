// Makes the declarations compile in projects without `lib: ["DOM"]`. Those of an artifact hold the types of questions and answers, and the
// functions that start the wasm, whose parameters are `Response` and the like. The former go into a file of their own, and declarations
// that need nothing else name that one.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

import ts from "typescript";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const WIRE = join(dist, "wire.d.ts");

const STARTS = new Set(["InitInput", "InitOutput", "SyncInitInput"]);
const declared = ts.createSourceFile(
  "reader.d.ts",
  readFileSync(new URL("../wasm/reader.d.ts", import.meta.url), "utf8"),
  ts.ScriptTarget.Latest,
);
const types = declared.statements.filter(
  (node) => (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && !STARTS.has(node.name.text),
);
const names = new Set(types.map(({ name }) => name.text));
const texts = types.map((node) => node.getFullText(declared).trim());
writeFileSync(
  WIRE,
  `/** Questions and answers, as the Rust types of the wire declare them. */\n\n${texts.join("\n\n")}\n`,
);

const IMPORT = /((?:im|ex)port type \{)([^}]*)(\} from )"(?:\.\.\/)+wasm\/(?:reader|engine)\.js"/g;
for (const file of readdirSync(dist, { recursive: true })) {
  if (!file.endsWith(".d.ts") || file === "wire.d.ts") continue;
  const path = join(dist, file);
  const text = readFileSync(path, "utf8");
  const address = relative(dirname(path), join(dist, "wire.js")).split(sep).join("/");
  const place = address.startsWith(".") ? address : `./${address}`;
  const changed = text.replace(IMPORT, (whole, start, list, end) => {
    const wanted = list.split(",").map((name) => name.trim().split(/\s+as\s+/)[0]);
    return wanted.every((name) => name === "" || names.has(name)) ? `${start}${list}${end}"${place}"` : whole;
  });
  if (changed !== text) writeFileSync(path, changed);
}
