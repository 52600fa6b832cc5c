/** The picture that other sites show for a link to a built page, and the address that they need for it. */

import { PortolanError } from "../errors.js";
import { readRegular } from "../node/safe-files.js";
import { UsageError } from "../commands/options.js";

/** A picture beside the page. */
export interface Card {
  readonly file: string;
  readonly bytes: Uint8Array | string;
  /** Width and height in pixels, where they are known. */
  readonly size?: readonly [width: number, height: number];
}

/** Larger pictures are refused or scaled by the sites that show them. */
const MOST_BYTES = 5_000_000;
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Reads a picture that a person gives. Rejects what no site shows with `input.unreadable`. */
export function givenCard(path: string): Card {
  let bytes: Uint8Array;
  try {
    bytes = readRegular(path);
  } catch (error) {
    throw unreadable(path, "cannot be read", error);
  }
  if (bytes.length > MOST_BYTES) throw unreadable(path, `has more than ${MOST_BYTES / 1e6} MB`);
  const has = (at: number, ...wanted: number[]) => wanted.every((byte, n) => bytes[at + n] === byte);
  const letters = (at: number, text: string) => has(at, ...Buffer.from(text, "latin1"));
  if (has(0, ...PNG) && letters(12, "IHDR") && bytes.length > 24) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return { file: "card.png", bytes, size: [view.getUint32(16), view.getUint32(20)] };
  }
  if (has(0, 0xff, 0xd8, 0xff)) return { file: "card.jpg", bytes };
  if (letters(0, "RIFF") && letters(8, "WEBP")) return { file: "card.webp", bytes };
  throw unreadable(path, "is no PNG, JPEG or WebP");
}

function unreadable(path: string, reason: string, cause?: unknown): PortolanError {
  return new PortolanError(
    "input.unreadable",
    `the picture ${path} ${reason}`,
    "give a PNG, JPEG or WebP of 1200 × 630 pixels",
    { cause },
  );
}

/** The address of the page, with the slash that relative addresses need at its end. */
export function siteUrl(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isPage = url !== undefined && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (!isPage || url.username !== "" || url.password !== "")
    throw new UsageError(`--site-url expects an address such as https://shop.example/code/, not "${given}"`);
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}
