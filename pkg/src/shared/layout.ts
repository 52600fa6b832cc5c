/**
 * The layout of a snapshot file, as far as a server must know it: where sections begin, and which engine wrote it. Nothing is unpacked, and
 * of an encrypted file nothing can be known. The container is described in `crates/snapshot/src/container/mod.rs`; checksums are compared by
 * whoever opens the file.
 */

import { PortolanError } from "../errors.js";
import { filesOf, isBundle } from "../storage/bundle.js";

const MAGIC = "PORTOLAN";
const SEALED = "PORTSEAL";
const HEADER = 64;
const ENTRY = 40;
const ALIGN = 16;
const MAX_SECTIONS = 256;
/** Bytes that are enough to know the layout of any file. */
export const N_START = HEADER + ENTRY * MAX_SECTIONS;

/** A part of a file. Parts follow each other without gaps, so padding belongs to the part before it. */
export interface Part {
  /** `head` is header and table, `sealed` all of an encrypted file, else the name of a section. */
  readonly name: string;
  readonly n_bytes: number;
}

/** The parts of a file, as its header lists them. */
export interface Layout {
  readonly parts: readonly Part[];
  /** Version of the engine that wrote it; absent of an encrypted file. */
  readonly engine?: string;
  readonly format_version?: number;
  readonly is_sealed: boolean;
}

/**
 * Reads the layout of a file of `n_bytes` from its first bytes: `N_START` of them, or all. Throws `version.invalid` for what is no snapshot,
 * is shorter than its header says, or has sections that overlap.
 */
export function layoutOf(start: Uint8Array, n_bytes: number): Layout {
  const magic = textAt(start, 0, MAGIC.length);
  if (magic === SEALED) return { parts: [{ name: "sealed", n_bytes }], is_sealed: true };
  if (isBundle(start)) return layoutOfBundle(start, n_bytes);
  if (magic !== MAGIC || start.length < HEADER)
    throw invalid("this is no Portolan index", "send the file that `portolan index` wrote");
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const n_sections = view.getUint32(12, true);
  const length = Number(view.getBigUint64(40, true));
  const end_of_table = HEADER + ENTRY * n_sections;
  if (n_sections > MAX_SECTIONS || end_of_table > start.length) throw invalid("the table of sections is damaged");
  if (length !== n_bytes)
    throw invalid(`the file has ${n_bytes} bytes, and its header says ${length}`, "send the whole file");
  const sections = Array.from({ length: n_sections }, (_, n) => sectionAt(view, start, HEADER + ENTRY * n));
  sections.sort((a, b) => a.start - b.start || a.end - b.end);
  return {
    parts: partsOf(sections, align(end_of_table), n_bytes),
    engine: textAt(start, 24, 16),
    format_version: view.getUint32(8, true),
    is_sealed: false,
  };
}

/** The table, the root, and each shard: one that did not change has the same pieces as before. */
function layoutOfBundle(start: Uint8Array, n_bytes: number): Layout {
  const files = filesOf(start, n_bytes);
  const [root] = files ?? [];
  if (!files || !root) throw invalid("the table of root and shards is damaged", "send the files as they were written");
  const parts = files.map((file) => ({ name: file.name.slice(0, 16) || "root", n_bytes: file.n_bytes }));
  return { parts: [{ name: "head", n_bytes: root.offset }, ...parts], is_sealed: false };
}

interface Section {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function sectionAt(view: DataView, start: Uint8Array, at: number): Section {
  const from = Number(view.getBigUint64(at + 16, true));
  return { name: textAt(start, at, 16), start: from, end: from + Number(view.getBigUint64(at + 24, true)) };
}

function partsOf(sections: readonly Section[], n_head: number, n_bytes: number): Part[] {
  const starts = [0, ...sections.map(({ start }) => start), n_bytes];
  const names = ["head", ...sections.map(({ name }) => name)];
  let end = Math.min(n_head, n_bytes);
  for (const section of sections) {
    const isInPlace = section.start >= end && section.start % ALIGN === 0 && section.end <= n_bytes;
    if (!isInPlace || section.name === "") throw invalid(`section ${section.name || "without a name"} is out of place`);
    end = section.end;
  }
  // An empty section takes no bytes, and so is no part.
  return names
    .map((name, at) => ({ name, n_bytes: (starts[at + 1] as number) - (starts[at] as number) }))
    .filter((part) => part.n_bytes > 0);
}

function align(offset: number): number {
  return Math.ceil(offset / ALIGN) * ALIGN;
}

/** ASCII up to the first zero. */
function textAt(bytes: Uint8Array, at: number, length: number): string {
  let text = "";
  for (const byte of bytes.subarray(at, at + length)) {
    if (byte === 0) break;
    text += byte > 32 && byte < 127 ? String.fromCharCode(byte) : "?";
  }
  return text;
}

/** The error of a file or request that is no version. */
export function invalid(message: string, help = ""): PortolanError {
  return new PortolanError("version.invalid", message, help);
}
