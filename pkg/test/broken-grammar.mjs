// Grammars that are broken where they run: every function of a side module but those it exports is given another body.

/** Ends the instance. */
export const TRAP = [0x00];
/** Never returns. */
export const LOOP = [0x03, 0x40, 0x0c, 0x00, 0x0b, 0x00];
/** Takes memory until there is none, then ends the instance. */
export const GROW = [0x03, 0x40, 0x41, 0x80, 0x08, 0x40, 0x00, 0x41, 0x7f, 0x47, 0x0d, 0x00, 0x0b, 0x00];

const SECTION = { import: 2, export: 7, code: 10 };

/** The module with `body` in place of what its functions do. */
export function withBodies(wasm, body) {
  const parts = [wasm.subarray(0, 8)];
  let n_imported = 0;
  let exported = new Set();
  for (const { id, whole, content } of sections(wasm)) {
    if (id === SECTION.import) n_imported = countFunctionImports(content);
    if (id === SECTION.export) exported = exportedFunctions(content);
    parts.push(id === SECTION.code ? code(content, (at) => exported.has(at + n_imported), body) : whole);
  }
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function* sections(wasm) {
  for (let at = 8; at < wasm.length; ) {
    const [size, start] = number(wasm, at + 1);
    yield { id: wasm[at], whole: wasm.subarray(at, start + size), content: wasm.subarray(start, start + size) };
    at = start + size;
  }
}

function code(content, isKept, body) {
  let [count, at] = number(content, 0);
  const bodies = [...bytesOf(count)];
  for (let idx = 0; idx < count; idx++) {
    const [size, start] = number(content, at);
    const replaced = [0x00, ...body, 0x0b];
    if (isKept(idx)) for (const byte of content.subarray(at, start + size)) bodies.push(byte);
    else bodies.push(...bytesOf(replaced.length), ...replaced);
    at = start + size;
  }
  return [SECTION.code, ...bytesOf(bodies.length), ...bodies];
}

function exportedFunctions(content) {
  let [count, at] = number(content, 0);
  const functions = new Set();
  for (; count > 0; count--) {
    at = afterName(content, at);
    const [index, next] = number(content, at + 1);
    if (content[at] === 0) functions.add(index);
    at = next;
  }
  return functions;
}

function countFunctionImports(content) {
  let [count, at] = number(content, 0);
  let n_functions = 0;
  for (; count > 0; count--) {
    at = afterName(content, afterName(content, at));
    const kind = content[at++];
    if (kind === 0) n_functions++;
    if (kind === 1) at++; // a table's element type
    if (kind === 3)
      at += 2; // a global's type and mutability
    else at = kind === 0 ? number(content, at)[1] : afterLimits(content, at);
  }
  return n_functions;
}

function afterLimits(bytes, at) {
  const hasMost = (bytes[at] & 1) === 1;
  const next = number(bytes, at + 1)[1];
  return hasMost ? number(bytes, next)[1] : next;
}

function afterName(bytes, at) {
  const [length, start] = number(bytes, at);
  return start + length;
}

/** A LEB128 number and where it ends. */
function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return [value >>> 0, at];
  }
}

function bytesOf(value) {
  const bytes = [];
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}
