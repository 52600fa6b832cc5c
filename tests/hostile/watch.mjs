// Every test of this folder asserts this: nothing outside the allowed places changed, no process was started, and the next
// question is answered. `watched` compares all files before and after, and asks each witness that it has for processes.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";

import { ownProcesses } from "./own-processes.mjs";

/** An index that a test made may be written, and nothing else. */
const ALLOWED_IN_A_FOLDER = [".portolan/**", "*/.portolan/**"];
const MAX_ANSWER_MS = 60_000;

/**
 * Runs `body(place)` and fails if a file of `place` changed that no glob of `allow` names, or if a process was started that
 * `processes` does not name. Returns the result of `body`.
 *
 * `place` is a sandbox (`sandbox.mjs`), whose programs are watched system call by system call where strace is there, or the path of a
 * folder: then the files of that folder and the processes of this process are watched.
 *
 * Globs are seen from the folder of `place`: `*` is any part of a name, `**` any number of folders. A link is compared as a link
 * and never followed, so a write through it shows at its target, or as a change of the link.
 *
 * @param {{ allow?: string[], processes?: string[], connections?: string[] }} options
 */
export async function watched(place, ...rest) {
  const body = rest.at(-1);
  const given = rest.length > 1 ? rest[0] : {};
  const isFolder = typeof place === "string";
  const root = isFolder ? place : place.root;
  const allow = given.allow ?? (isFolder ? ALLOWED_IN_A_FOLDER : place.allow);
  const allowed = { allow, processes: given.processes ?? [], connections: given.connections ?? [] };
  const before = filesOf(root, allow);
  if (!isFolder) place.forget();
  const processes = ownProcesses();
  let result;
  let thrown;
  try {
    result = await body(place);
  } catch (error) {
    thrown = { error };
  } finally {
    processes.stop();
  }
  const found = [
    ...changesOf(before, filesOf(root, allow), allow),
    ...processes.seen
      .filter(({ file }) => !allowed.processes.includes(basename(file)))
      .map(({ file, args }) => `this process started ${file} ${JSON.stringify(args)}`),
    ...(isFolder ? [] : place.trespasses(allowed)),
  ];
  // A trespass is the graver fault, and often the reason of the other.
  assert.deepEqual([...new Set(found)].sort(), [], `not harmless:\n  ${found.join("\n  ")}`);
  if (thrown) throw thrown.error;
  return result;
}

/**
 * Asserts that whatever was asked before, this question is answered, and soon. Returns the answer.
 *
 * @param {() => Promise<unknown>} question
 * @param {(answer: unknown) => unknown} isRight what the answer must be; something, if nothing is said
 */
export async function askedAgain(question, isRight = (answer) => answer !== undefined, within_ms = MAX_ANSWER_MS) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the next question was not answered in ${within_ms} ms`)), within_ms);
  });
  try {
    const answer = await Promise.race([question(), late]);
    const shown = JSON.stringify(answer, (_key, value) => (typeof value === "bigint" ? `${value}n` : value));
    assert.ok(isRight(answer), `the next question got another answer: ${shown?.slice(0, 500)}`);
    return answer;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Every file, folder and link below `root`: its kind, and for files also identity, time and content. A folder in
 * which all may change is not looked into: what works in it may do so at this moment. Files that go away meanwhile, such as
 * those of a browser that ends, are left out.
 */
export function filesOf(root, allow = []) {
  const files = new Map();
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of unlessGone(() => readdirSync(join(root, folder), { encoding: "buffer" })) ?? []) {
      // Names that are no UTF-8 must not be mistaken for one another.
      const path = `${folder}${name.toString("latin1") === name.toString() ? name : decoded(name)}`;
      const place = Buffer.concat([Buffer.from(`${root}/${folder}`), name]);
      const stats = unlessGone(() => lstatSync(place, { bigint: true }));
      const description = stats && unlessGone(() => describe(place, stats));
      if (description === undefined) continue;
      files.set(path, description);
      if (stats.isDirectory() && !isAllowed(`${path}/a/b`, allow)) folders.push(`${path}/`);
    }
  }
  return files;
}

function unlessGone(look) {
  try {
    return look();
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  }
}

function decoded(name) {
  const text = name.toString();
  return Buffer.from(text).equals(name) ? text : `${text} (${name.toString("hex")})`;
}

function describe(place, stats) {
  const mode = (stats.mode & 0o7777n).toString(8);
  if (stats.isSymbolicLink()) return `link to ${readlinkSync(place)}, ${stats.ino}`;
  // Allowed writes change the time of a folder, but not its identity.
  if (stats.isDirectory()) return `folder ${stats.ino}, mode ${mode}`;
  if (!stats.isFile()) return `neither file nor folder ${stats.ino}, mode ${mode}`;
  return `file ${stats.ino}, ${stats.size} bytes, mode ${mode}, written ${stats.mtimeNs}, ${digestOf(place)}`;
}

/** Who is not root cannot read a file that its mode closes; its time and size tell of a change. */
function digestOf(place) {
  try {
    return createHash("sha256").update(readFileSync(place)).digest("hex").slice(0, 16);
  } catch (error) {
    if (error.code !== "EACCES") throw error;
    return "closed";
  }
}

function changesOf(before, after, allow) {
  const changes = [];
  for (const [path, now] of after) {
    const was = before.get(path);
    if (was === undefined) changes.push([path, `is new: ${now}`]);
    else if (was !== now) changes.push([path, `was ${was}; is ${now}`]);
  }
  for (const path of before.keys()) if (!after.has(path)) changes.push([path, "is gone"]);
  return changes.filter(([path]) => !isAllowed(path, allow)).map(([path, what]) => `${path} ${what}`);
}

/** Whether a glob names this path. `x/**` names the folder `x`, too. */
export function isAllowed(path, globs) {
  return globs.some((glob) => patternOf(glob).test(path));
}

function patternOf(glob) {
  const parts = glob.split(/(\/\*\*$|\*\*\/|\*)/).map((part) => {
    if (part === "/**") return "(?:/.*)?";
    if (part === "**/") return "(?:.*/)?";
    return part === "*" ? "[^/]*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`, "s");
}
