/** Sections of a WebAssembly file, as far as limits are read and set in them. */

/** Numbers of sections. */
export const SECTION = { imports: 2, tables: 4, memories: 5 } as const;

/** Walks the sections of a file; the browser or Node has validated it, or will. */
export class SectionReader {
  position = 8;
  constructor(private readonly bytes: Uint8Array) {}

  /** Each section's id and where it ends, with the position at its content. */
  *sections(): Generator<readonly [id: number, end: number]> {
    while (this.position < this.bytes.length) {
      const id = this.byte();
      const end = this.number() + this.position;
      yield [id, end] as const;
      this.position = end;
    }
  }

  byte(): number {
    const byte = this.bytes[this.position++];
    if (byte === undefined) throw new Error("its file ends early");
    return byte;
  }

  skip(n_bytes: number): void {
    this.position += n_bytes;
  }

  /** An unsigned LEB128 number. */
  number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if ((byte & 0x80) === 0) return value;
    }
    throw new Error("a number in it is too long");
  }
}

/** Bytes of a page of memory. */
const PAGE = 65_536;

/**
 * The module with a limit to the memory that it brings: beyond it memory does not grow, whichever code asks for more. Throws where it brings
 * none, or more from the start.
 */
export function withMemoryLimit(bytes: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const reader = new SectionReader(bytes);
  let start = reader.position;
  for (const [id, end] of reader.sections()) {
    if (id === SECTION.memories) {
      const [n_memories, flags, first] = [reader.number(), reader.byte(), reader.number()];
      const most = Math.floor(maxBytes / PAGE);
      if (n_memories !== 1 || (flags & ~1) !== 0 || first > most) throw new Error("its memory cannot be limited");
      const content = [1, 1, ...leb(first), ...leb(most)];
      return joinedBytes([
        bytes.subarray(0, start),
        Uint8Array.from([SECTION.memories, ...leb(content.length), ...content]),
        bytes.subarray(end),
      ]);
    }
    start = end;
  }
  throw new Error("it brings no memory");
}

function leb(value: number): number[] {
  const bytes: number[] = [];
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

function joinedBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
