/** `portolan serve --shared`: a server of shared indexes. */

import { closeSync, mkdirSync, openSync, statSync, writeSync } from "node:fs";
import { resolve } from "node:path";

import { noOperands, UsageError, wholeNumber, type Command } from "../commands/options.js";
import { PortolanError } from "../errors.js";
import { isHostName } from "../node/http-guard.js";
import { FolderStore } from "../shared/folder-store.js";
import { ratesOf, type AnyAuditLine } from "../shared/handler.js";
import { isPattern, isRepositoryName } from "../shared/names.js";
import { serveShared } from "../shared/node-server.js";
import type { ObjectStore } from "../shared/store.js";
import { listTokens } from "../shared/tokens.js";

const PORT = 8080;

export async function serveSharedIndexes(command: Command): Promise<void> {
  noOperands(command);
  const { options } = command;
  const allowedHosts = options["allow-host"] ?? [];
  const repo = options.repo ?? [];
  for (const name of allowedHosts)
    if (!isHostName(name)) throw new UsageError(`--allow-host expects a name or an address, not "${name}"`);
  for (const pattern of options.public ?? [])
    if (!isPattern(pattern)) throw new UsageError(`--public expects a pattern such as acme/*, not "${pattern}"`);
  for (const origin of options.origin ?? [])
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new UsageError(`--origin expects an origin such as https://code.example.com, not "${origin}"`);
  if (repo.length > 1 || repo.some((name) => !isRepositoryName(name))) throw new UsageError("--repo expects one name");
  const store = await storeAt(options.shared ?? "", true);
  if (options.quiet !== true && (await listTokens(store)).length === 0)
    process.stderr.write("portolan: there are no tokens yet: `portolan token create --shared …` makes one\n");
  const audit = auditTo(options["audit-file"]);
  const passphrase = await passphraseOf(command);
  const server = await serveShared({
    store,
    port: wholeNumber(options.port, "port", 0) ?? PORT,
    host: options.host ?? "127.0.0.1",
    allowedHosts,
    origins: options.origin ?? [],
    audience: options.audience,
    public: options.public ?? [],
    defaultRepository: repo[0],
    passphrase,
    rates: ratesOf(wholeNumber(options["per-minute"], "per-minute", 1)),
    audit: audit.write,
    complain: (error) => process.stderr.write(`portolan: ${(error as Error)?.stack ?? String(error)}\n`),
  });
  process.stdout.write(`${server.url}\n`);
  await new Promise<void>((done) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, done);
  });
  await server.close();
  audit.close();
}

/** The store in a folder, or in a bucket of S3. Rejects with `store.unsupported`, `options.invalid`. */
export async function storeAt(place: string, make: boolean): Promise<ObjectStore> {
  if (place.startsWith("s3://")) {
    const { s3Store } = await import("../shared/s3-store.js");
    const store = s3Store(place, process.env);
    await store.checkConditions();
    return store;
  }
  if (place === "" || /^[a-z0-9]+:\/\//i.test(place))
    throw new UsageError(`--shared expects a folder or s3://BUCKET/PREFIX, not "${place}"`);
  const folder = resolve(place);
  // Others have no business in it: it has the sources of all repositories.
  if (make) mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new PortolanError("input.unreadable", `${folder} is no folder`, "name one that exists");
  return new FolderStore(folder);
}

/** Where lines of the audit log go: a line each in JSON. */
function auditTo(file: string | undefined): { write: (line: AnyAuditLine) => void; close: () => void } {
  if (file === undefined)
    return { write: (line) => process.stderr.write(`${JSON.stringify(line)}\n`), close: () => {} };
  const descriptor = openSync(resolve(file), "a", 0o600);
  return { write: (line) => writeSync(descriptor, `${JSON.stringify(line)}\n`), close: () => closeSync(descriptor) };
}

async function passphraseOf(command: Command): Promise<string | undefined> {
  if (command.options["passphrase-file"] === undefined) return undefined;
  return (await import("./passphrase.js")).passphraseOf(command, false);
}
