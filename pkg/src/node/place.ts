/**
 * Where the package's files are, for Node. Bundlers for servers read `new URL("…", import.meta.url)` and try to take in the file, or
 * the folder, that it names; an address made by a function is left as it is, and names the installed package when the bundle runs.
 */

const HERE = import.meta.url;

/** A file by its address relative to `dist/node/`, where this module is, and every bundle that it becomes a part of. */
export function besideThis(file: string): URL {
  return new URL(file, HERE);
}
