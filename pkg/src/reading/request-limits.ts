/**
 * Limits of requests, checked before anything walks them: how deep, how many values, how much text. Conversion into the engine recurses,
 * so a request nested a few thousand deep, or one that holds itself, would end in a stack overflow there.
 *
 * The check copies: an object whose getters, or whose proxy, answer differently the second time is read once.
 */

import { PortolanError } from "../errors.js";

/** Limits of a request. */
export const REQUEST_LIMITS = { depth: 64, values: 100_000, characters: 16 * 1024 * 1024 } as const;
/** Limits of a message around a request, which is some levels down in it. */
export const MESSAGE_LIMITS = { depth: 96, characters: 4 * 1024 * 1024 } as const;

/** An object or a list that is being copied. */
interface Frame {
  readonly source: object;
  readonly target: Record<string, unknown> | unknown[];
  /** Names of its fields; of a list there are none. */
  readonly keys: readonly string[] | undefined;
  readonly n_items: number;
  next: number;
}

/**
 * A copy of a request that is made of plain objects, lists and values only. Throws `request.depth`, `request.size`, `request.cycle`, or
 * `request.invalid` where it holds what is no data.
 */
export function plainRequest(request: unknown): unknown {
  const counted = { n_values: 0, n_characters: 0 };
  if (!isContainer(request)) return leaf(request, [], counted);
  const open = [frameOf(request, [], counted)];
  const ancestors = new Set<object>([request]);
  const [root] = open;
  for (let top = root; top !== undefined; top = open.at(-1)) {
    if (top.next === top.n_items) {
      ancestors.delete(top.source);
      open.pop();
      continue;
    }
    const value = nextOf(top, open, counted);
    if (!isContainer(value)) {
      put(top, leaf(value, open, counted));
      continue;
    }
    if (ancestors.has(value)) throw invalid("cycle", open, "holds itself");
    if (open.length === REQUEST_LIMITS.depth)
      throw invalid("depth", open, `is nested more than ${REQUEST_LIMITS.depth} deep`);
    const frame = frameOf(value, open, counted);
    put(top, frame.target);
    ancestors.add(value);
    open.push(frame);
  }
  return root?.target;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

interface RequestSize {
  n_values: number;
  n_characters: number;
}

function frameOf(source: object, open: readonly Frame[], counted: RequestSize): Frame {
  const kind = attempt(open, () => (Array.isArray(source) ? "list" : bytesKind(source)));
  if (kind !== "list" && kind !== undefined)
    throw invalid("invalid", open, `is a ${kind}; a request is made of texts, numbers, lists and objects`);
  const isList = kind === "list";
  const keys = isList ? undefined : attempt(open, () => Object.keys(source));
  const n_items = keys?.length ?? attempt(open, () => (source as unknown[]).length);
  if (!Number.isSafeInteger(n_items) || n_items < 0) throw invalid("invalid", open, "is a list without a length");
  take(counted, open, n_items, 0);
  return { source, target: isList ? [] : {}, keys, n_items, next: 0 };
}

/** The name of what holds bytes; nothing of other objects. */
function bytesKind(value: object): string | undefined {
  const isBytes = ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
  return isBytes ? value.constructor.name : undefined;
}

function nextOf(frame: Frame, open: readonly Frame[], counted: RequestSize): unknown {
  const key = frame.keys?.[frame.next] ?? frame.next;
  if (typeof key === "string") take(counted, open, 0, key.length);
  return attempt(open, () => (frame.source as Record<string | number, unknown>)[key]);
}

function put(frame: Frame, value: unknown): void {
  const at = frame.next++;
  const key = frame.keys?.[at];
  if (key === undefined) (frame.target as unknown[])[at] = value;
  // Assigned, `__proto__` would be no field but another prototype.
  else if (key === "__proto__")
    Object.defineProperty(frame.target, key, { value, enumerable: true, configurable: true, writable: true });
  else (frame.target as Record<string, unknown>)[key] = value;
}

function leaf(value: unknown, open: readonly Frame[], counted: RequestSize): unknown {
  const type = typeof value;
  if (type === "bigint" || type === "function" || type === "symbol")
    throw invalid("invalid", open, `is a ${type}; a request is made of texts, numbers, lists and objects`);
  if (typeof value === "string") take(counted, open, 0, value.length);
  return value;
}

function take(counted: RequestSize, open: readonly Frame[], n_values: number, n_characters: number): void {
  counted.n_values += n_values;
  counted.n_characters += n_characters;
  const { values, characters } = REQUEST_LIMITS;
  if (counted.n_values > values) throw invalid("size", open, `holds more than ${values} values`);
  if (counted.n_characters > characters)
    throw invalid("size", open, `holds more than ${characters} characters of text`);
}

/** Reads what the caller made; its getters and proxies may throw. */
function attempt<T>(open: readonly Frame[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw invalid("invalid", open, `cannot be read: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

function invalid(reason: string, open: readonly Frame[], what: string, cause?: unknown): PortolanError {
  return new PortolanError(`request.${reason}`, `the request ${placeOf(open)}${what}`, HELP[reason] ?? "", { cause });
}

const HELP: Record<string, string> = {
  depth: "nest it less deeply",
  size: "ask in parts",
  cycle: "give data without references back",
};

/** `at params.rows[3] `, shortened for people. */
function placeOf(open: readonly Frame[]): string {
  const steps = open.slice(0, 6).map(({ keys, next }, level) => {
    // Those above the last one are past what is read now.
    const at = level === open.length - 1 ? next : next - 1;
    return keys ? `.${(keys[at] ?? "").slice(0, 40)}` : `[${at}]`;
  });
  const path = steps.join("").replace(/^\./, "");
  return path === "" ? "" : `at ${path}${open.length > steps.length ? "…" : ""} `;
}

/** Classifies a text of JSON, as far as that is possible without parsing it. */
export interface JsonShape {
  /** Why it is not parsed. */
  readonly fault?: PortolanError;
  /** The `id` of a JSON-RPC message, as it is written. */
  readonly id?: string;
}

/** Limits of a text, and its length if only its start was read. */
export interface JsonLimits {
  readonly depth: number;
  readonly characters: number;
  readonly length?: number;
}

/** The value of an id, behind its name: a text, or a whole number. */
const ID = /^\s*:\s*("(?:[^"\\\p{Cc}]|\\["\\/bfnrt]){0,200}"|(?:0|-?[1-9]\d{0,14})(?![\d.eE]))/u;

/** Checks a text before it is parsed as JSON: `request.size`, `request.depth`. In one pass, without recursion. */
export function jsonShape(text: string, limits: JsonLimits = MESSAGE_LIMITS): JsonShape {
  const { depth: max, characters, length = text.length } = limits;
  let depth = 0;
  let deepest = 0;
  let id: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22 /* " */) {
      const end = endOfText(text, at);
      if (depth === 1 && id === undefined && end - at === 4 && text.startsWith('"id"', at))
        id = ID.exec(text.slice(end, end + 420))?.[1];
      at = end - 1;
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  const found = id === undefined ? {} : { id };
  if (length > characters)
    return {
      ...found,
      fault: new PortolanError("request.size", `the message has more than ${characters} characters`, HELP.size),
    };
  if (deepest > max)
    return {
      ...found,
      fault: new PortolanError("request.depth", `the message is nested more than ${max} deep`, HELP.depth),
    };
  return found;
}

/** The place after the closing quote. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c /* \ */) at++;
    else if (code === 0x22) return at + 1;
  }
  return text.length;
}
