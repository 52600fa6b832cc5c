//! The repository map, line by line.

/** A definition of the map. */
export interface MapEntry {
  readonly kind: string;
  readonly name: string;
}

/** A file of the map. */
export interface MapFile {
  readonly path: string;
  readonly entries: readonly MapEntry[];
  /** Definitions that did not fit its line. */
  readonly more: number;
}

/** The files of a `<repo_map>`: a line is `path :: kind:name, kind:name`. Other lines (the frame, what did not fit) are none. */
export function mapFiles(text: string): readonly MapFile[] {
  return text.split("\n").flatMap((line) => {
    const at = line.indexOf(" :: ");
    if (at < 0) return [];
    const [, entries = "", more = "0"] = /^(.*?)(?:, \.\.\. (\d+) more)?$/.exec(line.slice(at + 4)) ?? [];
    return [
      { path: line.slice(0, at).trim(), entries: entries.split(/, (?=[a-z_]+:)/).map(entryOf), more: Number(more) },
    ];
  });
}

function entryOf(text: string): MapEntry {
  const at = text.indexOf(":");
  return { kind: text.slice(0, Math.max(0, at)), name: text.slice(at + 1) };
}
