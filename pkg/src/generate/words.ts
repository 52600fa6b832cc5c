/** Plain English from names, numbers and doc comments. */

import type { Part } from "./document.js";

/** `3 files`, `1 file`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

const SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** Numbers up to ten as words, as prose has them. */
export function inWords(n: number, one: string, many = `${one}s`): string {
  return n <= 10 ? `${SMALL[n]} ${n === 1 ? one : many}` : plural(n, one, many);
}

/** `a, b and c`, of parts that may be links. */
export function joined(parts: readonly Part[], last = "and"): Part[] {
  return parts.flatMap((part, at) => (at === 0 ? [part] : [at === parts.length - 1 ? ` ${last} ` : ", ", part]));
}

/** The sentence with a capital at its beginning, where it begins with words. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `shouldNotHaveHeader`, `test_not_found` as words: `should not have header`. */
export function spoken(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .replace(/[_\-.]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .split(" ")
    .map((word) => (/^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(" ");
}

const LONGEST = 220;

/**
 * The first sentence of a doc comment as one line with a full stop; nothing where it says nothing about the code: markers, examples, a
 * licence.
 */
export function firstSentence(doc: string | undefined): string {
  if (!doc) return "";
  const prose = lead(unmarked(doc)).replace(/^[\s:!/*-]+/, "");
  if (prose === "" || !/[a-z]{2}/i.test(prose) || BOILERPLATE.test(prose)) return "";
  const end = endOf(prose);
  const first = (end < 0 ? prose : prose.slice(0, end)).trim();
  // Code, a drawing, or words that only introduce what follows.
  if (first.length < 8 || !first.includes(" ") || /[{}^|]|=>|\b(like|such as|e\.g\.?)$/.test(first)) return "";
  if (first.endsWith(":")) return "";
  const short = first.length > LONGEST ? `${first.slice(0, first.lastIndexOf(" ", LONGEST))}…` : first;
  return capital(/[.!?…]$/.test(short) ? short : `${short.replace(/[;,]$/, "")}.`);
}

const BOILERPLATE =
  /^(copyright|licen[cs]ed?\b|spdx|todo|fixme|eslint|@|see\b.{0,40}$|\(?c\)|module (dependencies|exports|variables))/i;

/** Where the first sentence ends: not after an abbreviation, a number or a name with dots. */
function endOf(prose: string): number {
  for (const { index } of prose.matchAll(/[.!?](?=\s|$)/g)) {
    const before = prose.slice(0, index);
    if (/(\b(e\.?g|i\.?e|etc|vs|cf|resp|approx|no)|\b[A-Z])$/i.test(before) && prose[index] === ".") continue;
    return index + 1;
  }
  return -1;
}

/** A doc comment without the marks of its markup. */
function unmarked(doc: string): string {
  return doc
    .replace(/<(summary|remarks|para)>|<\/(summary|remarks|para)>/gi, " ")
    .replace(/<(see|paramref|typeparamref)\s+\w+="(?:[A-Z]:)?([^"]*)"\s*\/?>(?:<\/\1>)?/gi, "$2")
    .replace(/<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>/gi, " ")
    .replace(/\{@(?:link|code|linkplain|literal)\s+([^}]*)\}/g, "$1")
    .replace(/:[a-z:]+:`~?([^`]*)`/g, "$1")
    .replace(/!?\[([^\]]*)\](\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])?/g, "$1")
    .replace(/\+(\w+)\+/g, "$1")
    .replace(/(^|\s)#(?=\w)/g, "$1")
    .replace(/(\w)#(?=\w)/g, "$1.")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .replace(/`{1,2}([^`\n]+)`{1,2}/g, "$1")
    .replace(/\*\*([^*\n]+)\*\*/g, "$1");
}

/** The first paragraph of prose, as one line: without headings, tags, directives and code. */
function lead(doc: string): string {
  const lines: string[] = [];
  for (const line of doc.split("\n")) {
    const text = line.replace(/^[\s/*!]+(?=\S)/, "").trim();
    const isEnd =
      text === "" ||
      /^([@\\]\w|\.\.|:\w+|```|~~~|>>>|[-=~*#]{3,}|(Examples?|Args|Arguments|Parameters|Returns?|Usage|Note)s?:?\s*$)/.test(
        text,
      );
    if (isEnd && lines.length > 0) break;
    if (isEnd || /^[#=]+\s/.test(text) || /^[|<]/.test(text)) continue;
    lines.push(text.replace(/^(brief|@brief|\\brief)\s+/, ""));
  }
  return lines.join(" ").replace(/\s+/g, " ").trim();
}

const VERBS = new Set(
  "accept acquire add allow append apply assert assign attach await begin bind build cache call cancel capture change check choose clean clear close collect combine compare compile compute configure connect consume convert copy count create decode decorate define delete derive describe destroy detect determine disable discard dispatch display drop emit enable encode encrypt ensure enter escape evaluate execute exit expand expose extend extract fetch fill filter find finish flush format free generate get give group handle hash hide identify import include increment indicate infer initialize insert inspect install invoke iterate join keep launch limit list load lock log look lookup make map mark match merge mount move notify obtain open override pack parse pause peek perform pipe poll pop prepare prevent print process produce provide proxy push put queue raise read receive record redirect register reject release reload remove rename render replace report represent request require reset resolve respond restore resume retrieve return reverse rewrite route run save schedule search select send serialize serve set show skip sleep sort specify split spawn start stop store strip subscribe switch take test throw track transfer transform translate trigger trim try turn unbind unlock unwrap update upload use validate verify visit wait walk warn wrap write yield".split(
    " ",
  ),
);

/** The rest of “I can call it …”: `to send a response`, `which returns the route`, or the sentence in quotes. */
export function purpose(sentence: string): string {
  const text = sentence.replace(/\.$/, "");
  const word = (/^[A-Za-z]+/.exec(text)?.[0] ?? "").toLowerCase();
  const rest = text.charAt(0).toLowerCase() + text.slice(1);
  if (VERBS.has(word)) return `to ${rest}`;
  const bases = [word.replace(/s$/, ""), word.replace(/es$/, ""), word.replace(/ies$/, "y")];
  const isThird =
    /^[A-Za-z]{2,}[^su]s (a|an|the|all|any|every|each|whether|this|its)\b/.test(text) ||
    (word.endsWith("s") && bases.some((base) => base !== word && VERBS.has(base)));
  return isThird ? `, which ${rest}` : `(“${text}”)`;
}
