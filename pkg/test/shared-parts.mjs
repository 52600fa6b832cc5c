// Common to the tests of shared indexes: files with the container of a snapshot, stores, and a small S3 server that checks
// signatures by its own reading of the specification.
import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import { after } from "node:test";

import { FolderStore } from "../dist/shared/folder-store.js";
import { S3Store } from "../dist/shared/s3-store.js";
import { folderWith } from "./fixture.mjs";

/** Bytes that look random, the same for every run. */
export function noise(n_bytes, seed) {
  const bytes = new Uint8Array(n_bytes);
  let state = (seed * 2654435761 + 1) >>> 0;
  for (let at = 0; at < n_bytes; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** A file with the header and table of a snapshot, and these sections: names with bytes. Nothing can be asked of it. */
export function container(sections) {
  const align = (n) => Math.ceil(n / 16) * 16;
  const entries = Object.entries(sections);
  const n_head = align(64 + 40 * entries.length);
  const n_bytes = entries.reduce((n, [, bytes]) => align(n + bytes.length), n_head);
  const file = Buffer.alloc(n_bytes);
  file.write("PORTOLAN", 0, "latin1");
  file.writeUInt32LE(6, 8);
  file.writeUInt32LE(entries.length, 12);
  file.write("0.1.0", 24, "latin1");
  file.writeBigUInt64LE(BigInt(n_bytes), 40);
  let offset = n_head;
  for (const [n, [name, bytes]] of entries.entries()) {
    const at = 64 + 40 * n;
    file.write(name, at, "latin1");
    file.writeBigUInt64LE(BigInt(offset), at + 16);
    file.writeBigUInt64LE(BigInt(bytes.length), at + 24);
    file.set(bytes, offset);
    offset = align(offset + bytes.length);
  }
  return new Uint8Array(file);
}

/** A file of some megabytes whose section `blocks` has a part that `seed` changes. */
export function version(seed) {
  const blocks = Buffer.concat([noise(900_000, 1), noise(1000 + seed, 100 + seed), noise(900_000, 2)]);
  return container({ info: noise(200, 3), blocks, graph: noise(700_000, 4), vectors: noise(300_000, 5) });
}

export const digestOf = (bytes) => createHash("sha256").update(bytes).digest("hex");
export const hashOf = (text) => createHash("sha1").update(text).digest("hex");

export async function* chunks(bytes, size = 65_536) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function all(body) {
  const pieces = [];
  for await (const piece of body) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

export const folderStore = () => new FolderStore(folderWith({}));

const KEYS = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  region: "eu-west-1",
};

/** A store in the small S3 server, and what the server has seen. */
export async function s3(options = {}) {
  const server = await s3Server();
  const store = new S3Store({ bucket: "indexes", prefix: "team/", endpoint: server.url, ...KEYS, ...options });
  return { store, server };
}

/** S3 as far as it is used: signatures, ranges, conditions, lists in pages. */
export async function s3Server({ pageSize = 3, isConditional = true } = {}) {
  const objects = new Map();
  const seen = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.from(await all(request));
    const end = (status, text = "", headers = {}) => response.writeHead(status, headers).end(text);
    const url = new URL(request.url, `http://${request.headers.host}`);
    seen.push(`${request.method} ${url.pathname}`);
    const fault = signatureFault(request, url, body);
    if (fault) return end(403, `<Error><Code>${fault}</Code></Error>`);
    const [, bucket, ...rest] = url.pathname.split("/");
    if (bucket !== "indexes") return end(404, "<Error><Code>NoSuchBucket</Code></Error>");
    const key = decodeURIComponent(rest.join("/"));
    if (key === "") return end(200, listing(objects, url.searchParams, pageSize));
    const found = objects.get(key);
    const head = found && {
      etag: found.etag,
      "last-modified": found.at.toUTCString(),
      "content-length": found.bytes.length,
    };
    switch (request.method) {
      case "PUT": {
        const { "if-match": match, "if-none-match": none } = request.headers;
        if (isConditional && ((none === "*" && found) || (match && match !== found?.etag)))
          return end(412, "<Error><Code>PreconditionFailed</Code></Error>");
        const etag = `"${createHash("md5").update(body).digest("hex")}"`;
        objects.set(key, { bytes: body, etag, at: new Date() });
        return end(200, "", { etag });
      }
      case "DELETE":
        objects.delete(key);
        return end(204);
      case "HEAD":
        return found ? end(200, "", head) : end(404);
      default: {
        if (!found) return end(404, "<Error><Code>NoSuchKey</Code></Error>");
        const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
        if (from === undefined) return end(200, found.bytes, head);
        const part = found.bytes.subarray(Number(from), Number(to) + 1);
        const range = `bytes ${from}-${Number(from) + part.length - 1}/${found.bytes.length}`;
        return end(206, part, { ...head, "content-length": part.length, "content-range": range });
      }
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  return { url: `http://127.0.0.1:${server.address().port}`, objects, seen };
}

function listing(objects, params, pageSize) {
  const keys = [...objects.keys()].filter((key) => key.startsWith(params.get("prefix") ?? "")).sort();
  const from = keys.findIndex((key) => key > (params.get("continuation-token") ?? ""));
  const page = from < 0 ? [] : keys.slice(from, from + pageSize);
  const isMore = from >= 0 && from + pageSize < keys.length;
  const entries = page.map((key) => {
    const { bytes, at } = objects.get(key);
    return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${at.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`;
  });
  const next = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  return `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${entries.join("")}</ListBucketResult>`;
}

/** Signature Version 4, as Amazon's documentation describes it. */
function signatureFault({ method, headers }, url, body) {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, id, day, region, signed, signature] = form.exec(headers.authorization ?? "") ?? [];
  if (signature === undefined) return "AuthorizationHeaderMalformed";
  if (id !== KEYS.accessKeyId) return "InvalidAccessKeyId";
  const date = headers["x-amz-date"];
  if (!date?.startsWith(day) || Math.abs(Date.now() - dateOf(date)) > 900_000) return "RequestTimeTooSkewed";
  const digest = headers["x-amz-content-sha256"];
  if (digest !== "UNSIGNED-PAYLOAD" && digest !== digestOf(body)) return "XAmzContentSHA256Mismatch";
  const names = signed.split(";");
  if (!names.includes("host") || names.some((name) => headers[name] === undefined)) return "AccessDenied";
  const encode = (text) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const canonical = [
    method,
    url.pathname
      .split("/")
      .map((part) => encode(decodeURIComponent(part)))
      .join("/"),
    query.join("&"),
    ...names.map((name) => `${name}:${headers[name].trim()}`),
    "",
    signed,
    digest,
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", date, `${day}/${region}/s3/aws4_request`, digestOf(canonical)].join("\n");
  const hmac = (key, data) => createHmac("sha256", key).update(data).digest();
  const key = ["s3", "aws4_request"].reduce(hmac, hmac(hmac(`AWS4${KEYS.secretAccessKey}`, day), region));
  return hmac(key, text).toString("hex") === signature ? undefined : "SignatureDoesNotMatch";
}

function dateOf(text) {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}
