/** A source on another host, as the command line names it: its hosts, registries and token come from the person's own settings. */

import type { Command } from "../commands/options.js";
import { userRegistries } from "../config/registries.js";
import { isPath } from "../node/files.js";
import { hostsOfSource } from "../sources/open.js";
import { knownForges, nameOfSource, parseSource } from "../sources/parse.js";
import type { ForgeHost, SourceSettings } from "../types.js";

/** A source, and how it is fetched. */
export interface AwaySource {
  readonly settings: SourceSettings;
  /** File of the index, in the current folder. */
  readonly file: string;
  /** Hosts that will be asked. */
  readonly hosts: readonly string[];
}

/** Returns nothing where the operand is a path. */
export async function awaySource({ options }: Command, operand: string): Promise<AwaySource | undefined> {
  if (isPath(operand)) return undefined;
  const source = parseSource(operand);
  if (!source) return undefined;
  const scope = source.kind === "package" ? /^(@[^/]+)\//.exec(source.name)?.[1] : undefined;
  const known = source.kind === "package" ? await userRegistries(scope) : { tokens: {} };
  const registries = {
    npm: options["npm-registry"] ?? known.npm,
    crate: options["crate-registry"] ?? known.crate,
  };
  const host = source.kind === "repository" ? knownForges().find(({ id }) => id === source.host) : undefined;
  const forges: ForgeHost[] =
    host && options.api ? [{ ...host, api: options.api.replace(/\/$/, ""), raw: undefined }] : [];
  const settings: SourceSettings = { forges, registries };
  const [first, ...more] = hostsOfSource(source, settings);
  const token = process.env.PORTOLAN_TOKEN;
  const tokens = { ...known.tokens, ...(token && first ? { [first]: token } : {}) };
  const hosts = [first, ...more].flatMap((origin) => (origin === undefined ? [] : [new URL(origin).host]));
  return {
    settings: { ...settings, tokens },
    file: `${nameOfSource(source).replace(/[^\w.@-]+/g, "-")}.portolan`,
    hosts,
  };
}
