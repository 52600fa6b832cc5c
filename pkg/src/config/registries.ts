/**
 * The addresses of package registries, as the person has set them for npm and cargo. Settings of a repository are not read: they came with its
 * code, and would lead to a host that nobody chose.
 */

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

import { parseSettings } from "./settings-text.js";

/** Addresses, and tokens by origin. */
export interface Registries {
  readonly npm?: string;
  readonly crate?: string;
  readonly tokens: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the user's npm and cargo configuration, for a package of `scope` where it has one. */
export async function userRegistries(
  scope: string | undefined,
  env: Environment = process.env,
  home = homedir(),
): Promise<Registries> {
  const npm = npmRegistry(
    readIfThere(env.NPM_CONFIG_USERCONFIG ?? env.npm_config_userconfig ?? join(home, ".npmrc")),
    scope,
    env,
  );
  const crate = await crateRegistry(readIfThere(join(env.CARGO_HOME ?? join(home, ".cargo"), "config.toml")), env);
  return {
    ...(npm.registry === undefined ? {} : { npm: npm.registry }),
    ...(crate === undefined ? {} : { crate }),
    tokens: npm.tokens,
  };
}

/** Reads `registry=`, `@scope:registry=` and `//host/:_authToken=` of an .npmrc; variables of the environment go before it. */
export function npmRegistry(
  text: string,
  scope: string | undefined,
  env: Environment,
): { registry?: string; tokens: Record<string, string> } {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, key, value] = /^\s*([^=;#\s][^=]*?)\s*=\s*"?(.*?)"?\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined)
      values.set(
        key,
        value.replace(/\$\{([^}]+)\}/g, (_, name: string) => env[name] ?? ""),
      );
  }
  const registry =
    (scope && values.get(`${scope}:registry`)) ??
    env.npm_config_registry ??
    env.NPM_CONFIG_REGISTRY ??
    values.get("registry");
  if (!registry || !URL.canParse(registry)) return { tokens: {} };
  const { origin, host } = new URL(registry);
  const token = [...values].find(([key]) => key.startsWith(`//${host}/`) && key.endsWith(":_authToken"))?.[1];
  return { registry, tokens: token ? { [origin]: token } : {} };
}

interface CargoConfig {
  readonly source?: Readonly<Record<string, { "replace-with"?: string; registry?: string } | undefined>>;
  readonly registries?: Readonly<Record<string, { index?: string } | undefined>>;
  readonly registry?: { default?: string };
}

const MAX_REPLACED = 8;

/** Follows `replace-with` from cargo's own registry, or takes the default of `[registry]`; only sparse registries can be read here. */
export async function crateRegistry(text: string, env: Environment): Promise<string | undefined> {
  const config = text === "" ? {} : await parsed("config.toml", text);
  const indexOf = (name: string) =>
    env[`CARGO_REGISTRIES_${name.toUpperCase().replaceAll("-", "_")}_INDEX`] ?? config.registries?.[name]?.index;
  let name = "crates-io";
  for (let n = 0; n < MAX_REPLACED; n++) {
    const next = config.source?.[name]?.["replace-with"];
    if (next === undefined) break;
    name = next;
  }
  const fallback = env.CARGO_REGISTRY_DEFAULT ?? config.registry?.default;
  const found =
    config.source?.[name]?.registry ?? indexOf(name) ?? (fallback === undefined ? undefined : indexOf(fallback));
  return found?.startsWith("sparse+") ? found : undefined;
}

async function parsed(file: string, text: string): Promise<CargoConfig> {
  try {
    return (await parseSettings(file, text)) as CargoConfig;
  } catch {
    return {}; // cargo says what is wrong with its own settings
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
