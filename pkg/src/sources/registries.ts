/** npm packages and crates: one request finds the archive, a second fetches it, and it is compared with the registry's digest. */

import { PortolanError } from "../errors.js";
import type { SourceClient } from "./client.js";
import type { PackageSource } from "./parse.js";
import { fieldsIn, textIn } from "./shapes.js";

/** A package's archive. */
export interface Archive {
  readonly archive: Uint8Array;
  readonly name: string;
}

interface Release {
  readonly vers: string;
  readonly cksum: string;
  readonly yanked: boolean;
}

/** Fetches a package's archive and compares it with the registry's digest. */
export function fetchPackage(source: PackageSource, client: SourceClient): Promise<Archive> {
  return source.registry === "npm" ? npmPackage(source, client) : crate(source, client);
}

function baseOf({ registry }: PackageSource, client: SourceClient): string {
  const base = client.settings.registries?.[registry];
  if (base !== undefined && URL.canParse(base)) return base.replace(/^sparse\+/, "").replace(/\/$/, "");
  const how =
    registry === "npm"
      ? "set `registry=` in your .npmrc, or give --npm-registry ADDRESS"
      : "set a sparse registry in cargo's config.toml, or give --crate-registry ADDRESS";
  throw new PortolanError(
    "source.registry",
    `no registry is set for ${registry === "npm" ? "npm packages" : "crates"}`,
    how,
  );
}

async function npmPackage(source: PackageSource, client: SourceClient): Promise<Archive> {
  const { name, version = "latest" } = source;
  const { chosen, dist, known } = await client.json(
    `${baseOf(source, client)}/${name.replace("/", "%2f")}`,
    (value) => chosenIn(value, version),
    "application/vnd.npm.install-v1+json",
  );
  if (dist === undefined) throw unknown(source, known);
  const { bytes } = await client.get(dist.tarball);
  const sha512 = /^sha512-([A-Za-z0-9+/=]+)/.exec(dist.integrity)?.[1];
  if (sha512 !== undefined)
    await compare(source, bytes, "SHA-512", (digest) => btoa(String.fromCharCode(...digest)) === sha512);
  return { archive: bytes, name: `${name}@${chosen}` };
}

/** The version that a tag or number names, with its archive, and all versions. */
function chosenIn(value: unknown, version: string) {
  const { "dist-tags": tags = {}, versions = {} } = fieldsIn(value);
  const own = (of: unknown, name: string) => (Object.hasOwn(fieldsIn(of), name) ? fieldsIn(of)[name] : undefined);
  const tagged = own(tags, version);
  const chosen = typeof tagged === "string" ? tagged : version;
  const known = Object.keys(fieldsIn(versions));
  const release = own(versions, chosen);
  const { dist } = release === undefined ? {} : fieldsIn(release);
  const { tarball, integrity } = dist === undefined ? {} : fieldsIn(dist);
  const isThere = typeof tarball === "string" && URL.canParse(tarball);
  const found = isThere ? { tarball, integrity: typeof integrity === "string" ? integrity : "" } : undefined;
  return { chosen, known, dist: found };
}

async function crate(source: PackageSource, client: SourceClient): Promise<Archive> {
  const { name, version } = source;
  const base = baseOf(source, client);
  const dl = await client.json(`${base}/config.json`, (value) => textIn(value, "dl"));
  const releases = await releasesAt(`${base}/${placeOf(name)}`, client);
  const usable = releases.filter(({ vers, yanked }) => !yanked && !vers.includes("-"));
  const release =
    version === undefined
      ? newest(usable.length > 0 ? usable : releases)
      : releases.find(({ vers }) => vers === version);
  if (!release)
    throw unknown(
      source,
      releases.map(({ vers }) => vers),
    );
  const url = downloadOf(dl, name, release);
  if (!URL.canParse(url)) throw new PortolanError("source.answer", `${base} gives no address of archives`, "");
  const { bytes } = await client.get(url);
  await compare(source, bytes, "SHA-256", (digest) => hex(digest) === release.cksum);
  return { archive: bytes, name: `${name}@${release.vers}` };
}

const MAX_LIST = 16 * 2 ** 20;

/** The releases of a crate: one in each line. */
async function releasesAt(url: string, client: SourceClient): Promise<Release[]> {
  const { bytes } = await client.get(url, { most: MAX_LIST });
  const lines = new TextDecoder().decode(bytes).split("\n");
  try {
    return lines
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const release: unknown = JSON.parse(line);
        return {
          vers: textIn(release, "vers"),
          cksum: textIn(release, "cksum"),
          yanked: fieldsIn(release).yanked === true,
        };
      });
  } catch (cause) {
    throw new PortolanError("source.answer", `${url} is no list of releases`, "check the registry's address", {
      cause,
    });
  }
}

/** The place of a crate in an index: `se/rd/serde`. */
function placeOf(crate: string): string {
  const name = crate.toLowerCase();
  if (name.length <= 2) return `${name.length}/${name}`;
  if (name.length === 3) return `3/${name[0]}/${name}`;
  return `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
}

function downloadOf(dl: string, name: string, { vers, cksum }: Release): string {
  if (!dl.includes("{")) return `${dl}/${name}/${vers}/download`;
  const prefix = (of: string) => placeOf(of).split("/").slice(0, -1).join("/");
  return dl
    .replaceAll("{crate}", name)
    .replaceAll("{version}", vers)
    .replaceAll("{lowerprefix}", prefix(name))
    .replaceAll("{prefix}", prefix(name))
    .replaceAll("{sha256-checksum}", cksum);
}

function newest(releases: readonly Release[]): Release | undefined {
  const numbers = ({ vers }: Release) => vers.split(/[.+-]/).slice(0, 3).map(Number);
  return [...releases]
    .sort((a, b) => {
      const [left, right] = [numbers(a), numbers(b)];
      return left.map((n, at) => n - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
    })
    .at(-1);
}

async function compare(
  { name }: PackageSource,
  bytes: Uint8Array,
  algorithm: "SHA-256" | "SHA-512",
  isIt: (digest: Uint8Array) => boolean,
): Promise<void> {
  const digest = new Uint8Array(await crypto.subtle.digest(algorithm, bytes as Uint8Array<ArrayBuffer>));
  if (!isIt(digest))
    throw new PortolanError(
      "source.digest",
      `the archive of ${name} is not the one that the registry lists`,
      "try again; if it stays so, do not trust the registry",
    );
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function unknown({ name, version }: PackageSource, versions: readonly string[]): PortolanError {
  const known = versions.slice(-5).reverse().join(", ");
  return new PortolanError(
    "source.not-found",
    `${name} has no version ${version ?? "that can be used"}`,
    known === "" ? "" : `the last ones are ${known}`,
  );
}
