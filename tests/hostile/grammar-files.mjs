// WebAssembly files that say they are grammars: put together by hand, section by section, so that each holds one attack.

const SECTION = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  start: 8,
  code: 10,
};
const I32 = 0x7f;

/** Bodies of functions without parameters and results. */
export const BODY = {
  nothing: [],
  /** Never returns. */
  loop: [0x03, 0x40, 0x0c, 0x00, 0x0b],
  /** Ends the instance. */
  trap: [0x00],
  /** Takes memory, page after page of it, until there is no more, and then goes on for ever. */
  grow: [0x03, 0x40, 0x41, 0x80, 0x02, 0x40, 0x00, 0x1a, 0x0c, 0x00, 0x0b],
};

/**
 * A side module. `imports` are `[module, name, kind]` with kind "function", "memory", "table", "global" or "mutable global"; `start` is the
 * body of a start function, `language` that of `tree_sitter_x`.
 */
export function grammarFile({
  imports = [["env", "memory", "memory"]],
  start,
  language = [0x41, 0x00],
  memoryInfo = [0, 0, 0, 0],
  sections = [],
  exports = [],
} = {}) {
  const n_imported = imports.filter(([, , kind]) => kind === "function").length;
  const bodies = [language, ...(start ? [start] : [])];
  const types = [
    ...counted([
      [0x60, 0, 0],
      [0x60, 0, 1, I32],
    ]),
  ];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(SECTION.custom, [...name("dylink.0"), 1, ...sized(memoryInfo.flatMap(leb))]),
    ...section(SECTION.type, types),
    ...section(
      SECTION.import,
      counted(imports.map(([module, field, kind]) => [...name(module), ...name(field), ...IMPORT[kind]])),
    ),
    ...section(SECTION.function, counted([[1], ...(start ? [[0]] : [])])),
    ...sections.filter(([id]) => id < SECTION.export).flatMap(([id, content]) => section(id, content)),
    ...section(
      SECTION.export,
      counted(
        [["tree_sitter_x", n_imported], ...exports.map((one) => [one, n_imported])].map(([field, at]) => [
          ...name(field),
          0,
          ...leb(at),
        ]),
      ),
    ),
    ...(start ? section(SECTION.start, leb(n_imported + 1)) : []),
    ...section(SECTION.code, counted(bodies.map((body) => sized([0, ...body, 0x0b])))),
  ]);
}

const IMPORT = {
  function: [0, 0],
  table: [1, 0x70, 0, 0],
  memory: [2, 0, 0],
  global: [3, I32, 0],
  "mutable global": [3, I32, 1],
  "a memory of 4 GiB": [2, 0, 0x80, 0x80, 0x04],
};

/** A table or a memory of the file's own: sections for `grammarFile`. */
export const OWN_MEMORY = [SECTION.memory, [1, 0, 0x80, 0x80, 0x04]];
export const OWN_TABLE = [SECTION.table, [1, 0x70, 0, 0x80, 0xad, 0xe2, 0x04]];

function section(id, content) {
  return [id, ...sized(content)];
}

function sized(content) {
  return [...leb(content.length), ...content];
}

function counted(items) {
  return [...leb(items.length), ...items.flat()];
}

function name(text) {
  return sized([...new TextEncoder().encode(text)]);
}

function leb(value) {
  const bytes = [];
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}
