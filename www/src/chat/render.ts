//! An answer as elements: Markdown, cleaned, with its places checked. A model may repeat a hostile file: no image is loaded, no
//! address can be followed, and a place is a link only where the index has it.

import createDOMPurify from "dompurify";
import { Marked } from "marked";
import { visible } from "portolan";
import { type Citation, type PlaceCheck, piecesOf, textOfCitation } from "portolan/chat";
import { tokensOf } from "../readme/lexer.ts";

const allowed =
  "h1 h2 h3 h4 h5 h6 p br hr ul ol li blockquote pre code em strong del table thead tbody tr th td sub sup kbd".split(
    " ",
  );
const longest = 200_000;

const markdown = new Marked({
  gfm: true,
  async: false,
  renderer: {
    // A link could carry code to its host: its address is text.
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens);
      return words === escaped(href) ? words : `${words} (<code>${escaped(href)}</code>)`;
    },
    image({ href, text }) {
      return `${escaped(text)} (<code>${escaped(href)}</code>)`;
    },
    html({ text }) {
      return escaped(text);
    },
  },
});

/** Draws an answer; `hrefOf` gives the address of a place within the page. */
export function drawAnswer(text: string, places: PlaceCheck, hrefOf: (place: Citation) => string): DocumentFragment {
  const html = markdown.parser(tokensOf(visible(text.slice(0, longest)), markdown.defaults));
  const clean = createDOMPurify(window).sanitize(html, {
    ALLOWED_TAGS: allowed,
    ALLOWED_ATTR: ["start", "align"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  lower(clean);
  for (const block of clean.querySelectorAll("pre")) block.tabIndex = 0;
  link(clean, places, hrefOf);
  return clean;
}

function link(root: DocumentFragment, places: PlaceCheck, hrefOf: (place: Citation) => string): void {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
  for (const node of texts) {
    if (node.parentElement?.closest("pre")) continue;
    const pieces = piecesOf(node.data, places);
    if (pieces.every((piece) => typeof piece === "string")) continue;
    node.replaceWith(...pieces.map((piece) => (typeof piece === "string" ? piece : cited(piece, hrefOf))));
  }
}

function cited(place: Citation, hrefOf: (place: Citation) => string): HTMLElement {
  const text = textOfCitation(place);
  const element = document.createElement(place.state === "unknown" ? "span" : "a");
  element.className = "chat-cite";
  element.dataset.state = place.state;
  element.textContent =
    place.state === "unknown" ? `${text} (not in the index)` : place.state === "known" ? `${text} (not read)` : text;
  if (element instanceof HTMLAnchorElement) element.href = hrefOf(place);
  return element;
}

/** The page and the view have the headings above. */
function lower(root: DocumentFragment): void {
  for (const heading of root.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const next = document.createElement(`h${Math.min(6, Number(heading.tagName.slice(1)) + 2)}`);
    next.append(...heading.childNodes);
    heading.replaceWith(next);
  }
}

function escaped(text: string): string {
  const signs: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (sign) => signs[sign] ?? sign);
}
