/** Versions as they are sent and stored: checked field by field, since a client may send anything. */

import { PortolanError } from "../errors.js";
import { PIECE } from "./cutter.js";
import { isDigest, sha256OfText } from "./digest.js";
import { invalid, type Layout } from "./layout.js";
import type { Piece, VersionManifest, VersionRequest, VersionSection, VersionSource, VersionSummary } from "./types.js";

/** Limits of one version. */
export const VERSION_LIMITS = {
  /** Sections of an index have 2 GiB at most; a file has a dozen of them. */
  n_bytes: 8 * 1024 ** 3,
  sections: 300,
  pieces: 65_536,
  /** Of a version that a command takes into memory. */
  memory: 2 ** 31,
  parents: 64,
  tags: 32,
} as const;

const TAG = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/;
const REF = /^[^\0- \x7f~^:?*[\\]{1,200}$/u;

/** Returns the request in a JSON value. Throws `version.invalid`, which names the field. */
export function versionRequest(value: unknown): VersionRequest {
  const { source, switch: isSwitched = true, n_bytes, sections } = fieldsOf(value, "the version");
  if (typeof isSwitched !== "boolean") throw invalid("switch: expected true or false");
  if (!isCount(n_bytes, VERSION_LIMITS.n_bytes)) throw invalid(`n_bytes: expected 1 to ${VERSION_LIMITS.n_bytes}`);
  if (!Array.isArray(sections) || sections.length > VERSION_LIMITS.sections || sections.length === 0)
    throw invalid(`sections: expected 1 to ${VERSION_LIMITS.sections}`);
  const checked = sections.map((section, at) => sectionOf(section, `sections[${at}]`));
  if (checked.reduce((n, { pieces }) => n + pieces.length, 0) > VERSION_LIMITS.pieces)
    throw invalid(`sections: more than ${VERSION_LIMITS.pieces} pieces`);
  if (checked.reduce((sum, section) => sum + section.n_bytes, 0) !== n_bytes)
    throw invalid("n_bytes: the sections have another number of bytes");
  return { source: sourceOf(source), switch: isSwitched, n_bytes, sections: checked };
}

function sectionOf(value: unknown, at: string): VersionSection {
  const { name, n_bytes, pieces } = fieldsOf(value, at);
  if (typeof name !== "string" || !/^[!-~]{1,16}$/.test(name)) throw invalid(`${at}.name: expected 1 to 16 characters`);
  if (!isCount(n_bytes, VERSION_LIMITS.n_bytes)) throw invalid(`${at}.n_bytes: expected a number of bytes`);
  if (!Array.isArray(pieces)) throw invalid(`${at}.pieces: expected a list`);
  const checked = pieces.map((piece, n) => pieceOf(piece, `${at}.pieces[${n}]`));
  if (checked.reduce((sum, piece) => sum + piece.n_bytes, 0) !== n_bytes)
    throw invalid(`${at}.n_bytes: its pieces have another number of bytes`);
  return { name, n_bytes, pieces: checked };
}

function pieceOf(value: unknown, at: string): Piece {
  const { digest, n_bytes } = fieldsOf(value, at);
  if (!isDigest(digest)) throw invalid(`${at}.digest: expected the SHA-256 in 64 hexadecimal digits`);
  if (!isCount(n_bytes, PIECE.most)) throw invalid(`${at}.n_bytes: expected 1 to ${PIECE.most}`);
  return { digest, n_bytes };
}

/** Returns the source in a JSON value; nothing known where there is none. */
export function sourceOf(value: unknown): VersionSource {
  if (value === undefined) return {};
  const { commit, tree, parents, ref, tags } = fieldsOf(value, "source");
  const source: VersionSource = {};
  if (commit !== undefined) source.commit = hashOf(commit, "source.commit");
  if (tree !== undefined) source.tree = hashOf(tree, "source.tree");
  if (parents !== undefined)
    source.parents = listOf(parents, "source.parents", VERSION_LIMITS.parents).map((one) =>
      hashOf(one, "source.parents"),
    );
  if (ref !== undefined) {
    if (typeof ref !== "string" || !REF.test(ref)) throw invalid("source.ref: expected a reference of git");
    source.ref = ref;
  }
  if (tags !== undefined) source.tags = [...new Set(listOf(tags, "source.tags", VERSION_LIMITS.tags).map(tagOf))];
  return source;
}

function tagOf(value: unknown): string {
  if (typeof value === "string" && TAG.test(value)) return value;
  throw invalid("source.tags: a tag is made of letters, digits, `.`, `_`, `-`, `/`");
}

/** Returns the hash of a commit or tree. Throws `version.invalid`. */
export function hashOf(value: unknown, at: string): string {
  if (typeof value === "string" && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value)) return value;
  throw invalid(`${at}: expected a hash of git, 40 or 64 hexadecimal digits`);
}

function listOf(value: unknown, at: string, most: number): unknown[] {
  if (Array.isArray(value) && value.length <= most) return value;
  throw invalid(`${at}: expected a list of at most ${most}`);
}

/** Returns the fields of a JSON object. Throws `version.invalid`. */
export function fieldsOf(value: unknown, at: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid(`${at}: expected an object`);
}

function isCount(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= most;
}

/** Compares what a client says of a file with the file's own header. Throws `version.invalid`. */
export function checkLayout({ sections }: VersionRequest, { parts }: Layout): void {
  const isSame = parts.length === sections.length && parts.every((part, at) => isSamePart(part, sections[at]));
  if (!isSame) throw invalid("the sections are not those of the file's header", "send the file as it was written");
}

function isSamePart(part: Layout["parts"][number], section: VersionSection | undefined): boolean {
  return section !== undefined && part.name === section.name && part.n_bytes === section.n_bytes;
}

/** The version that a request describes. Its id depends on source and content alone, so the same version sent twice is one. */
export async function manifestOf(
  repository: string,
  request: VersionRequest,
  layout: Layout,
  made_at: number,
): Promise<VersionManifest> {
  const { source = {}, n_bytes, sections } = request;
  const { commit = "", tree = "", parents = [], ref = "" } = source;
  const digests = sections.flatMap(({ pieces }) => pieces.map(({ digest }) => digest));
  const { engine, format_version, is_sealed } = layout;
  return {
    id: await sha256OfText(JSON.stringify([1, commit, tree, parents, ref, n_bytes, digests])),
    repository,
    source,
    made_at,
    ...(engine !== undefined && { engine }),
    ...(format_version !== undefined && { format_version }),
    is_sealed,
    n_bytes,
    n_pieces: digests.length,
    sections,
  };
}

/** A version without its content. */
export function summaryOf({ repository: _, sections: __, ...summary }: VersionManifest): VersionSummary {
  return summary;
}

/** The version that a text names. Throws `version.unknown`, `version.ambiguous`. */
export function versionNamed(
  versions: readonly VersionSummary[],
  current: string | undefined,
  name: string,
): VersionSummary {
  const isMeant = ({ id, source }: VersionSummary) =>
    (name === "current" && id === current) ||
    (name.length >= 8 && id.startsWith(name)) ||
    (name.length >= 7 && source.commit?.startsWith(name) === true) ||
    source.tags?.includes(name) === true;
  const found = versions.filter(isMeant);
  const [first] = found;
  if (first === undefined)
    throw new PortolanError("version.unknown", "there is no such version", "`portolan versions` lists them");
  // Of several versions of one commit or tag, the newest is meant.
  const isOne = found.every(({ source }) => source.commit === first.source.commit) || first.source.tags?.includes(name);
  if (!isOne) throw new PortolanError("version.ambiguous", "several versions begin so", "give more digits");
  return first;
}
