//! Markdown of anybody into tokens, in bounded time: marked takes quadratic time for some texts and recurses into quotes and lists.

import { Lexer, type MarkedOptions, type Token, type Tokens, type TokensList } from "marked";

/** Quotes and lists within each other. */
const deepest = 20;
/** Letters of one paragraph that are read for marks. */
const longest = 10_000;
/** Sum of the squares of their lengths: some two seconds, if every paragraph is as slow to read as can be. */
const budget = 4e8;

class BoundedLexer extends Lexer {
  #left = budget;
  #depth = 0;

  override blockTokens(text: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(text: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(text: string, tokens: Token[] = [], lastParagraphClipped?: boolean): Token[] {
    if (this.#depth >= deepest) {
      tokens.push(plain(text));
      return tokens;
    }
    this.#depth += 1;
    try {
      return super.blockTokens(text, tokens, lastParagraphClipped);
    } finally {
      this.#depth -= 1;
    }
  }

  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    this.#left -= text.length ** 2;
    if (text.length <= longest && this.#left > 0) return super.inlineTokens(text, tokens);
    tokens.push(plain(text));
    return tokens;
  }
}

/** Tokens of a text. Parts of it that would take too long are plain text. */
export function tokensOf(text: string, options: MarkedOptions): TokensList {
  return new BoundedLexer(options).lex(text);
}

function plain(text: string): Tokens.Text {
  return { type: "text", raw: text, text, escaped: false };
}
