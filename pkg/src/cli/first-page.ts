/**
 * The part of a built page that is there without scripts: for search engines, previews of links, and people whose scripts are off or still on
 * their way. Everything from the repository is text: no markup of it, no address of it.
 */

import { visible } from "../visible.js";
import type { Card } from "./site-card.js";

/** The facts that the first page tells. */
export interface FirstPage {
  readonly name: string;
  /** Where the page will be, where that is known. */
  readonly address?: string;
  /** The page fetches parts of the index. */
  readonly inParts: boolean;
  /** One sentence about it; empty where nothing says so. */
  readonly description: string;
  readonly readme: string;
  readonly paths: readonly string[];
  readonly figures: readonly (readonly [label: string, value: number])[];
  readonly languages: readonly (readonly [name: string, n_files: number])[];
}

const MOST_PATHS = 400;
const LONGEST_README = 20_000;

/** Text as it may be in HTML, in an attribute, too. */
export function html(text: string): string {
  return visible(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** The head of the page: title, description, and the card that other sites show for a link to it. */
export function withHead(page: string, first: FirstPage, { file, size }: Omit<Card, "bytes">): string {
  const { address = "" } = first;
  const title = `${first.name}: code explorer`;
  const description = descriptionOf(first);
  const meta = (key: "name" | "property", name: string, content: string) =>
    `    <meta ${key}="${name}" content="${html(content)}" />`;
  const lines = [
    meta("name", "portolan-index", first.name),
    ...(first.inParts ? [meta("name", "portolan-parts", "yes")] : []),
    meta("property", "og:type", "website"),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    meta("property", "og:image", `${address}${file}`),
    ...(size
      ? [meta("property", "og:image:width", `${size[0]}`), meta("property", "og:image:height", `${size[1]}`)]
      : []),
    ...(address === ""
      ? []
      : [meta("property", "og:url", address), `    <link rel="canonical" href="${html(address)}" />`]),
    meta("name", "twitter:card", "summary_large_image"),
  ];
  // Functions, since `$` means something in a text that replaces another.
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${html(title)}</title>`)
    .replace(/<meta name="description" content="[^"]*" \/>/, () => meta("name", "description", description).trim())
    .replace("</head>", () => `${lines.join("\n")}\n  </head>`);
}

/** The page of a server of shared indexes: it asks that server for its repositories. */
export function forTeam(page: string): string {
  return page.replace("</head>", () => '    <meta name="portolan-shared" content="yes" />\n  </head>');
}

/** The static content, which the page removes when it starts. */
export function withContent(page: string, first: FirstPage): string {
  return page.replace('<div id="app"></div>', () => `${contentOf(first)}\n    <div id="app"></div>`);
}

function descriptionOf({ name, description, figures }: FirstPage): string {
  const [files] = figures;
  const said = description === "" ? `${name}: its code, with definitions, references and calls` : description;
  return `${said.length > 200 ? `${said.slice(0, 199)}…` : said}${files ? ` (${files[1].toLocaleString("en")} ${files[0]})` : ""}`;
}

const STYLE =
  "#first{max-width:76ch;margin:0 auto;padding:32px 20px;font:15px/1.6 system-ui,sans-serif;color:light-dark(#23282e,#dfe5ec)}#first pre{overflow-x:auto}#first ul{columns:2;padding-left:18px}#first li{overflow-wrap:anywhere}";

function contentOf({ name, description, readme, paths, figures, languages }: FirstPage): string {
  const shown = [...paths].sort().slice(0, MOST_PATHS);
  const rest = paths.length - shown.length;
  const facts = figures.map(([label, value]) => `${value.toLocaleString("en")} ${html(label)}`).join(", ");
  const spoken = languages.slice(0, 5).map(([language]) => html(language));
  return [
    `    <main id="first">`,
    `      <style>${STYLE}</style>`,
    `      <h1>${html(name)}</h1>`,
    ...(description === "" ? [] : [`      <p>${html(description)}</p>`]),
    `      <p>${facts}${spoken.length > 0 ? `; ${spoken.join(", ")}` : ""}.</p>`,
    ...(readme === "" ? [] : [`      <h2>README</h2>`, readmeOf(readme)]),
    `      <h2>Files</h2>`,
    `      <ul>`,
    ...shown.map(
      (path) =>
        `        <li><a href="#/f/${html(addressOf(path))}?r=${html(encodeURIComponent(name))}">${html(path)}</a></li>`,
    ),
    `      </ul>`,
    ...(rest > 0 ? [`      <p>And ${rest.toLocaleString("en")} more.</p>`] : []),
    `    </main>`,
  ].join("\n");
}

const addressOf = (path: string) => path.split("/").map(encodeURIComponent).join("/");

/** Headings, paragraphs and code of a README as text; links keep their words only. */
function readmeOf(text: string): string {
  const out: string[] = [];
  let paragraph: string[] = [];
  let code: string[] | undefined;
  const close = () => {
    if (paragraph.length > 0) out.push(`      <p>${html(plain(paragraph.join(" ")))}</p>`);
    paragraph = [];
  };
  for (const line of text.slice(0, LONGEST_README).split(/\r\n|\r|\n/)) {
    if (/^\s*(```|~~~)/.test(line)) {
      close();
      if (code) out.push(`      <pre>${html(code.join("\n"))}</pre>`);
      code = code ? undefined : [];
    } else if (code) code.push(line);
    else if (/^#{1,6}\s/.test(line)) {
      close();
      const words = plain(line.replace(/^#+\s+/, ""));
      if (words !== "") out.push(`      <h3>${html(words)}</h3>`);
    } else if (line.trim() === "") close();
    else paragraph.push(line.trim());
  }
  close();
  if (code) out.push(`      <pre>${html(code.join("\n"))}</pre>`);
  return out.filter((part) => !/<p>\s*<\/p>/.test(part)).join("\n");
}

/** A line without the marks of Markdown and without tags. */
function plain(text: string): string {
  return text
    .replace(/!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])?/g, "")
    .replace(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])?/g, "$1")
    .replace(/<[^>]*>/g, "")
    .replace(/[*_`]{1,3}([^*_`]+)[*_`]{1,3}/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/** The picture of a link where none is given: name, one sentence, figures, and the languages as a bar. */
export function cardOf({ name, description, figures, languages }: FirstPage): Card & { readonly bytes: string } {
  const total = languages.reduce((sum, [, n]) => sum + n, 0);
  const colours = ["#2f6f8f", "#c8793a", "#6a8f3c", "#8a5a9e", "#b5484b", "#98928a"];
  let left = 80;
  const bars = languages.slice(0, 6).map(([, n], at) => {
    const width = (1040 * n) / Math.max(1, total);
    const bar = `<rect x="${left.toFixed(1)}" y="500" width="${width.toFixed(1)}" height="16" fill="${colours[at]}"/>`;
    left += width;
    return bar;
  });
  const short = (text: string, most: number) => html(text.length > most ? `${text.slice(0, most - 1)}…` : text);
  const facts = figures.map(([label, value]) => `${value.toLocaleString("en")} ${label}`).join("  ·  ");
  const lines = wrapped(description, 58).slice(0, 3);
  const bytes = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630" font-family="system-ui, sans-serif">`,
    `<rect width="1200" height="630" fill="#fdfcfa"/>`,
    `<text x="80" y="170" font-size="76" font-weight="700" fill="#23282e">${short(name, 26)}</text>`,
    ...lines.map((line, at) => `<text x="80" y="${250 + at * 50}" font-size="36" fill="#4c545d">${html(line)}</text>`),
    `<text x="80" y="460" font-size="32" fill="#23282e">${html(facts)}</text>`,
    ...bars,
    `<text x="80" y="570" font-size="26" fill="#4c545d">${html(
      languages
        .slice(0, 6)
        .map(([language]) => language)
        .join("   "),
    )}</text>`,
    `</svg>`,
    "",
  ].join("\n");
  return { file: "card.svg", bytes, size: [1200, 630] };
}

function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else if (word !== "") lines.push(word.slice(0, most));
  }
  return lines;
}
