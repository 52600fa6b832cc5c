/** An index file on this machine, cut into the pieces that a server knows. */

import { PortolanError } from "../errors.js";
import type { PlacedPiece } from "./client.js";
import { Cutter } from "./cutter.js";
import { sha256 } from "./digest.js";
import { openJoined } from "./joined-files.js";
import type { VersionSection } from "./types.js";

const CHUNK = 1024 * 1024;

/** A file that is open, with its sections. */
export interface CutFile {
  readonly n_bytes: number;
  readonly sections: VersionSection[];
  /** Each piece once. */
  readonly pieces: ReadonlyMap<string, PlacedPiece>;
  /** The bytes of a piece. */
  read(digest: string): Uint8Array;
  close(): void;
}

/** Opens and cuts a file, of which one piece is in memory at a time: the root of an index in shards with its shards. Rejects with `version.invalid`, `input.not-a-file`. */
export async function cutFile(path: string): Promise<CutFile> {
  const file = openJoined(path);
  try {
    const { n_bytes } = file;
    const cutter = new Cutter(n_bytes);
    const pieces = new Map<string, PlacedPiece>();
    const ofParts: PlacedPiece[][] = [];
    let offset = 0;
    for (let at = 0; at < n_bytes; at += CHUNK) {
      for (const { part, bytes } of cutter.push(file.read(at, Math.min(CHUNK, n_bytes - at)))) {
        const piece = { digest: await sha256(bytes), n_bytes: bytes.length, offset };
        offset += bytes.length;
        pieces.set(piece.digest, piece);
        const own = ofParts[part] ?? [];
        own.push(piece);
        ofParts[part] = own;
      }
    }
    const sections = (cutter.layout?.parts ?? []).map((part, at) => ({
      ...part,
      pieces: (ofParts[at] ?? []).map(({ digest, n_bytes }) => ({ digest, n_bytes })),
    }));
    return {
      n_bytes,
      sections,
      pieces,
      read: (digest) => {
        const piece = pieces.get(digest);
        if (!piece)
          throw new PortolanError("remote.failed", "the server asks for a piece that the index does not have");
        return file.read(piece.offset, piece.n_bytes);
      },
      close: file.close,
    };
  } catch (error) {
    file.close();
    throw error;
  }
}
