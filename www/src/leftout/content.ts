//! Content of a file by its first bytes: an image, a notebook, a text, or bytes.

import { imageType } from "../readme/links.ts";

export type Content = "image" | "notebook" | "text" | "bytes";

/** Bytes at the beginning that decide between text and bytes, as the index does. */
const windowBytes = 8000;

/** Tells how a file is shown. `head` are its first bytes. */
export function contentOf(path: string, head: Uint8Array): Content {
  if (imageType(path) !== undefined) return "image";
  if (/\.ipynb$/i.test(path)) return "notebook";
  return encodingOf(head) === undefined ? "bytes" : "text";
}

/** The encoding of a text by its mark of byte order or its content; nothing for other bytes. */
function encodingOf(head: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const window = head.subarray(0, windowBytes);
  if (window.includes(0)) return undefined;
  // The window may end within a letter.
  const streamed = new TextDecoder("utf-8", { fatal: true });
  try {
    streamed.decode(window, { stream: true });
    return "utf-8";
  } catch {
    const odd = window.reduce((n, byte) => n + (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) ? 1 : 0), 0);
    return odd * 50 > window.length ? undefined : "windows-1252";
  }
}

/** The text of bytes that may end within a letter. */
export function decoded(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes) ?? "utf-8").decode(bytes, { stream: true });
}

/** A row of a listing of bytes. */
export interface HexRow {
  /** Offset of its first byte, in hexadecimal digits. */
  readonly at: string;
  readonly hex: string;
  /** The bytes that are printable ASCII, a dot for each of the others. */
  readonly letters: string;
}

const perRow = 16;

/** Rows of sixteen bytes. */
export function hexRows(bytes: Uint8Array): HexRow[] {
  const rows: HexRow[] = [];
  for (let at = 0; at < bytes.length; at += perRow) {
    const row = bytes.subarray(at, at + perRow);
    const pairs = [...row].map((byte) => byte.toString(16).padStart(2, "0"));
    rows.push({
      at: at.toString(16).padStart(6, "0"),
      hex: `${pairs.slice(0, 8).join(" ")}  ${pairs.slice(8).join(" ")}`.padEnd(perRow * 3),
      letters: [...row].map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join(""),
    });
  }
  return rows;
}
