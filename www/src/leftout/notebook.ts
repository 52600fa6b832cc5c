//! A Jupyter notebook as cells, read from its JSON (nbformat 3 and 4). Of its outputs plain texts and images are kept: HTML and scripts of a
//! notebook are not.

/** Something that a cell gave out. */
export type Output =
  | { readonly kind: "text"; readonly text: string; readonly isError: boolean }
  | { readonly kind: "image"; readonly type: string; readonly base64: string }
  | { readonly kind: "other"; readonly types: readonly string[] };

export interface Cell {
  readonly kind: "markdown" | "code" | "raw";
  readonly text: string;
  /** The number of its run; null where it was not run. */
  readonly run: number | null;
  readonly outputs: readonly Output[];
}

export interface Notebook {
  /** The language of its code, such as `python`; empty if it does not say. */
  readonly language: string;
  readonly cells: readonly Cell[];
}

/** Letters of one text that are shown. */
const longest = 100_000;
const images = ["image/png", "image/jpeg", "image/gif", "image/webp"];

type Json = Readonly<Record<string, unknown>>;

/** Reads a notebook; nothing where the text is none. */
export function notebookOf(text: string): Notebook | undefined {
  let data: Json;
  try {
    data = objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
  const sheets = Array.isArray(data.worksheets) ? data.worksheets : [];
  const cells = Array.isArray(data.cells) ? data.cells : sheets.flatMap((sheet) => objectOf(sheet).cells ?? []);
  if (!Array.isArray(data.cells) && sheets.length === 0) return undefined;
  const metadata = objectOf(data.metadata);
  const language = objectOf(metadata.language_info).name ?? objectOf(metadata.kernelspec).language;
  return { language: typeof language === "string" ? language : "", cells: cells.map(cellOf) };
}

function cellOf(value: unknown): Cell {
  const cell = objectOf(value);
  const kind = cell.cell_type === "code" ? "code" : cell.cell_type === "raw" ? "raw" : "markdown";
  const run = cell.execution_count ?? cell.prompt_number;
  const level = cell.cell_type === "heading" ? "# " : "";
  return {
    kind,
    text: level + textOf(cell.source ?? cell.input),
    run: typeof run === "number" ? run : null,
    outputs: (Array.isArray(cell.outputs) ? cell.outputs : []).map(outputOf),
  };
}

function outputOf(value: unknown): Output {
  const output = objectOf(value);
  if (output.output_type === "error" || output.output_type === "pyerr") {
    const trace = textOf(Array.isArray(output.traceback) ? output.traceback.join("\n") : "");
    return { kind: "text", text: trace || `${output.ename}: ${output.evalue}`, isError: true };
  }
  if (output.output_type === "stream")
    return { kind: "text", text: textOf(output.text), isError: output.name === "stderr" };
  // Before nbformat 4 the data were fields of the output itself.
  const data = objectOf(output.data ?? { "image/png": output.png, "text/plain": output.text });
  const type = images.find((one) => typeof data[one] === "string" || Array.isArray(data[one]));
  if (type) {
    const base64 = joined(data[type]).replaceAll(/\s+/g, "");
    if (/^[A-Za-z0-9+/]+=*$/.test(base64)) return { kind: "image", type, base64 };
  }
  if (data["text/plain"] !== undefined) return { kind: "text", text: textOf(data["text/plain"]), isError: false };
  return { kind: "other", types: Object.keys(data).slice(0, 5) };
}

function textOf(value: unknown): string {
  const text = withoutColours(joined(value));
  return text.length <= longest ? text : `${text.slice(0, longest)}\n… ${text.length - longest} more characters`;
}

function joined(value: unknown): string {
  if (Array.isArray(value)) return value.filter((line) => typeof line === "string").join("");
  return typeof value === "string" ? value : "";
}

/** Without the sequences that colour a terminal. */
function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these begin such a sequence
  return text.replaceAll(/\x1b\[[0-9;]*m/g, "");
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
