//! A document in parts that can be drawn one by one: no part begins within an element of HTML.

/** A block of Markdown, as marked's lexer gives it. */
interface Block {
  readonly type: string;
  readonly raw: string;
}

/** Elements that have no end tag. */
const empty = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

/** Splits blocks into parts of at least `size` letters, the last one excepted. Cost: one pass over the HTML among them. */
export function partsOf<B extends Block>(blocks: readonly B[], size: number): B[][] {
  const parts: B[][] = [];
  let part: B[] = [];
  let letters = 0;
  let depth = 0;
  for (const block of blocks) {
    part.push(block);
    letters += block.raw.length;
    if (block.type === "html") depth = Math.max(0, depth + opened(block.raw));
    if (letters < size || depth > 0) continue;
    parts.push(part);
    part = [];
    letters = 0;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

/** Elements that some HTML leaves open; below 0 where it ends those before it. */
function opened(html: string): number {
  let open = 0;
  const plain = html.replace(/<!--.*?(-->|$)/gs, "");
  // A name ends in one way only, so that a tag without its end is read once.
  for (const [tag, slash, name = ""] of plain.matchAll(/<(\/?)([a-z][a-z0-9-]*)(?![a-z0-9-])[^<>]*>/gi)) {
    if (slash === "/") open -= 1;
    else if (!tag.endsWith("/>") && !empty.has(name.toLowerCase())) open += 1;
  }
  return open;
}
