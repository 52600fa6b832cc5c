/**
 * Tokens of a text, counted from above, as the engine counts them (`crates/api/src/answer/tokens.rs` has the reasons): no tokenizer is
 * loaded for it. `pkg/test/hook-events.test.mjs` compares it with `o200k` and `cl100k`.
 */

const HUMP = 8;
const BLANKS = 16;

const PIECE = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d|[\r\n]+|[ \t]+|[!-/:-@[-`{-~]+|[\s\S]/gu;

/** Returns the number of tokens that a text has at most. */
export function tokensOf(text: string): number {
  let n_tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) n_tokens += tokensOfPiece(piece);
  return n_tokens;
}

function tokensOfPiece(piece: string): number {
  if (/^[A-Z]?[a-z]+$|^[A-Z]$/.test(piece)) return Math.ceil(piece.length / HUMP);
  if (/^[\d\r\n]/.test(piece)) return 1;
  // A single space belongs to the word after it.
  if (/^[ \t]/.test(piece)) return piece.length > 1 ? Math.ceil(piece.length / BLANKS) : 0;
  const code = piece.codePointAt(0) ?? 0;
  if (code < 0x80) return Math.ceil(piece.length / 2);
  return code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
}
