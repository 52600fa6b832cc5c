//! Addresses within a README: what is in the repository, and what is elsewhere.

/** A file of the repository, a place on the page, an address elsewhere, or nothing that may be followed. */
export type Target =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "place"; readonly id: string }
  | { readonly kind: "elsewhere"; readonly url: string }
  | { readonly kind: "none" };

/** Resolves an address of a README at `path`. */
export function targetOf(address: string, path: string): Target {
  const text = address.trim();
  if (text === "") return { kind: "none" };
  if (text.startsWith("#")) return { kind: "place", id: decoded(text.slice(1)) };
  if (text.startsWith("//")) return targetOf(`https:${text}`, path);
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    if (!URL.canParse(text)) return { kind: "none" };
    const { protocol, href } = new URL(text);
    return ["https:", "http:", "mailto:"].includes(protocol) ? { kind: "elsewhere", url: href } : { kind: "none" };
  }
  const plain = decoded(text.replace(/[?#].*$/, "")).replaceAll("\\", "/");
  const parts = plain.startsWith("/") ? [] : path.split("/").slice(0, -1);
  for (const part of plain.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return { kind: "none" };
  }
  return parts.length === 0 ? { kind: "none" } : { kind: "file", path: parts.join("/") };
}

/** The README among paths: the shortest, in the repository's top folder. */
export function readmeAmong(paths: Iterable<string>): string | undefined {
  return [...paths]
    .filter((path) => /^readme(\.(md|markdown|mkd|rst|txt))?$/i.test(path))
    .sort((a, b) => rank(a) - rank(b))[0];
}

function rank(path: string): number {
  return /\.(md|markdown|mkd)$/i.test(path) ? path.length : 100 + path.length;
}

const types: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
  bmp: "image/bmp",
  ico: "image/x-icon",
};

/** Type of an image by the ending of its name; nothing for other files. */
export function imageType(path: string): string | undefined {
  return types[
    path
      .replace(/[?#].*$/, "")
      .split(".")
      .at(-1)
      ?.toLowerCase() ?? ""
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
