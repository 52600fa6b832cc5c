/** Opens a source: fetches its archive, or lists its files, which then come one by one. */

import { PortolanError } from "../errors.js";
import type { AbortSignal } from "../platform.js";
import type { FileInput, Forge, ForgeHost, SourceSettings } from "../types.js";
import { SourceClient, type ClientEvents } from "./client.js";
import type { ForgeApi, MakeApi, Wanted } from "./forge-api.js";
import { gitea } from "./gitea.js";
import { github } from "./github.js";
import { gitlab } from "./gitlab.js";
import { knownForges, nameOfSource, type RepositorySource, type Source } from "./parse.js";
import { fetchPackage } from "./registries.js";
import { RemoteFiles } from "./remote-files.js";
import { fetchSite } from "./site.js";

const APIS: Readonly<Record<Forge, MakeApi>> = { github, gitlab, gitea };
/** Parts of a ref, as in `feature/tax/vat`. */
const MAX_REF_PARTS = 4;

/** A README, as soon as it is there. */
export interface Readme {
  readonly path: string;
  readonly text: string;
}

/** The events of opening a source. */
export interface OpenEvents extends ClientEvents {
  readonly onReadme?: ((readme: Readme) => void) | undefined;
}

/** The content of a source: an archive, files that come one by one, or files that are there. */
export type OpenedSource = {
  readonly name: string;
  /** The folder to which indexing is limited. */
  readonly include?: readonly string[];
} & ({ readonly archive: Uint8Array } | { readonly remote: RemoteFiles } | { readonly files: readonly FileInput[] });

/** Where a source leads. */
interface Place {
  readonly api: ForgeApi;
  readonly commit: string;
  readonly path: string;
}

/** Opens a source: contacts its host, and fetches an archive or lists the files. */
export async function openSource(source: Source, settings: SourceSettings, events: OpenEvents): Promise<OpenedSource> {
  const client = new SourceClient(settings, events, addressOf(source, settings));
  const name = nameOfSource(source);
  switch (source.kind) {
    case "package":
      return { archive: (await fetchPackage(source, client)).archive, name };
    case "archive":
      return { archive: (await client.get(source.url)).bytes, name };
    case "repository":
      return repository(source, client, events);
    default:
      return { files: await fetchSite(source.url, client), name };
  }
}

/** Fetches one file of a repository: an image of its README. */
export async function fetchSourceFile(
  source: Source,
  path: string,
  settings: SourceSettings,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (source.kind !== "repository")
    throw new PortolanError("source.unsupported", "only repositories have files that can be fetched one by one", "");
  const client = new SourceClient(settings, { signal });
  const host = hostOf(source, settings);
  const wanted = APIS[host.forge](host, source.name, client).fileAt(source.refAndPath?.split("/")[0] ?? "HEAD", path);
  return (await client.get(wanted.url, acceptOf(wanted))).bytes;
}

/** The origins that a source may lead to, to be allowed by the user. Archives of registries may come from further ones. */
export function hostsOfSource(source: Source, settings: SourceSettings = {}): string[] {
  const origin = (url: string) => new URL(url.replace(/^sparse\+/, "")).origin;
  if (source.kind === "archive" || source.kind === "site") return [origin(source.url)];
  if (source.kind === "package") {
    const base = settings.registries?.[source.registry];
    return base === undefined || !URL.canParse(base.replace(/^sparse\+/, "")) ? [] : [origin(base)];
  }
  const { api, raw } = hostOf(source, settings);
  return [...new Set([origin(api), ...(raw === undefined ? [] : [origin(raw)])])];
}

/** The address of a registry, whose answers name further addresses. */
function addressOf(source: Source, settings: SourceSettings): string | undefined {
  const base = source.kind === "package" ? settings.registries?.[source.registry]?.replace(/^sparse\+/, "") : undefined;
  return base !== undefined && URL.canParse(base) ? base : undefined;
}

async function repository(source: RepositorySource, client: SourceClient, events: OpenEvents): Promise<OpenedSource> {
  const { api, commit, path } = await placeOf(source, client);
  const name = nameOfSource(source);
  const include = path === "" || source.isFile ? {} : { include: [path] };
  if ((client.settings.by ?? "archive") === "archive") {
    const wanted = api.archive(commit);
    return { archive: (await client.get(wanted.url, acceptOf(wanted))).bytes, name, ...include };
  }
  const files = new RemoteFiles(api, commit, await api.tree(commit), client, source.isFile ? "" : path);
  const { readme } = files;
  if (readme !== undefined && events.onReadme) {
    const { onReadme } = events;
    // Nothing waits for it, and without it nothing is lost: it is fetched again as one of the files.
    void files
      .read(readme)
      .then((bytes) => onReadme({ path: readme, text: new TextDecoder().decode(bytes) }))
      .catch(() => {});
  }
  return { remote: files, name, ...include };
}

function acceptOf({ accept }: Wanted): { accept?: string } {
  return accept === undefined ? {} : { accept };
}

function hostOf({ host }: RepositorySource, { forges }: SourceSettings): ForgeHost {
  const found = knownForges(forges).find(({ id }) => id === host);
  if (!found)
    throw new PortolanError("source.unknown", `no host is called ${host}`, "add it to the hosts of repositories");
  return found;
}

/** Tells ref and path apart: the shortest beginning that the host knows is the ref. */
async function placeOf(source: RepositorySource, client: SourceClient): Promise<Place> {
  const host = hostOf(source, client.settings);
  const api = APIS[host.forge](host, source.name, client);
  const parts = source.refAndPath?.split("/") ?? [];
  if (parts.length === 0) return { api, commit: await api.commit(undefined), path: source.path ?? "" };
  for (let n = 1; ; n++) {
    try {
      return { api, commit: await api.commit(parts.slice(0, n).join("/")), path: parts.slice(n).join("/") };
    } catch (error) {
      const isUnknown = error instanceof PortolanError && error.code === "source.not-found";
      if (!isUnknown || n >= Math.min(parts.length, MAX_REF_PARTS)) throw error;
    }
  }
}
