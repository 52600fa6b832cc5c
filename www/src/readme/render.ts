//! Markdown of a repository as elements: parsed by marked, cleaned by DOMPurify. No address of it is loaded by itself: images become what the
//! caller draws for them, links lead into the repository or say where they lead.

import createDOMPurify from "dompurify";
import { Marked } from "marked";
import { visible } from "portolan";
import { headingLevels } from "./headings.ts";
import { tokensOf } from "./lexer.ts";
import { type Target, targetOf } from "./links.ts";
import { partsOf } from "./parts.ts";

export interface Drawing {
  /** Path of the document, from which its links are resolved. */
  readonly path: string;
  /** Order of the heading that the document comes below: its own begin one lower. */
  readonly above: number;
  /** Address within the page of a file. */
  hrefOf(path: string): string;
  /** An element in place of an image. */
  imageOf(target: Target, words: string): Node;
}

const longest = 1_000_000;
const allowed =
  "h1 h2 h3 h4 h5 h6 p div br hr ul ol li blockquote pre code em strong del ins s sub sup kbd table thead tbody tr th td a img details summary dl dt dd span b i u abbr picture source input".split(
    " ",
  );

/** Letters drawn in one task: a page draws them in less than 20 ms. */
const partSize = 6_000;

/** Draws a document, a part at a time: the page answers between them. */
export async function drawMarkdown(text: string, drawing: Drawing): Promise<DocumentFragment> {
  const marked = new Marked({ gfm: true, async: false });
  const purify = createDOMPurify(window);
  const tokens = tokensOf(text.slice(0, longest), marked.defaults);
  const all = document.createDocumentFragment();
  for (const part of partsOf(tokens, partSize)) {
    await new Promise((resolve) => setTimeout(resolve));
    all.append(cleaned(purify, marked.parser(part), drawing));
  }
  shift(all, drawing.above);
  return all;
}

function cleaned(purify: ReturnType<typeof createDOMPurify>, html: string, drawing: Drawing): DocumentFragment {
  const clean = purify.sanitize(html, {
    ALLOWED_TAGS: allowed,
    ALLOWED_ATTR: [
      "href",
      "src",
      "alt",
      "title",
      "align",
      "colspan",
      "rowspan",
      "start",
      "type",
      "checked",
      "disabled",
      "open",
    ],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  // The fragment belongs to a document that loads nothing until it is shown.
  for (const source of clean.querySelectorAll("source")) source.remove();
  for (const input of clean.querySelectorAll("input")) {
    if (input.type === "checkbox") input.disabled = true;
    else input.remove();
  }
  for (const image of clean.querySelectorAll("img"))
    image.replaceWith(
      drawing.imageOf(targetOf(image.getAttribute("src") ?? "", drawing.path), image.getAttribute("alt") ?? ""),
    );
  for (const anchor of clean.querySelectorAll("a")) follow(anchor, drawing);
  writeOut(clean);
  return clean;
}

/** Control characters and marks of direction are written out here, too. */
function writeOut(root: DocumentFragment): void {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const shown = visible(node.nodeValue ?? "");
    if (shown !== node.nodeValue) node.nodeValue = shown;
  }
}

function follow(anchor: HTMLAnchorElement, { path, hrefOf }: Drawing): void {
  const target = targetOf(anchor.getAttribute("href") ?? "", path);
  if (target.kind === "file") anchor.setAttribute("href", hrefOf(target.path));
  else if (target.kind === "elsewhere") {
    anchor.setAttribute("href", target.url);
    anchor.setAttribute("target", "_blank");
    anchor.setAttribute("rel", "noopener noreferrer");
  } else if (anchor.childNodes.length > 0) anchor.removeAttribute("href");
  else anchor.remove();
}

/** Headings of the document get orders below those of the page. */
function shift(root: DocumentFragment, above: number): void {
  const headings = [...root.querySelectorAll("h1, h2, h3, h4, h5, h6")];
  const orders = headings.map(({ tagName }) => Number(tagName.slice(1)));
  const levels = headingLevels(orders, above);
  for (const [at, heading] of headings.entries()) {
    const lower = document.createElement(`h${levels[at]}`);
    lower.className = `readme-${heading.tagName.toLowerCase()}`;
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
}
