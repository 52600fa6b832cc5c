/** JSON Schema of arguments and answers of tools, as agents read it: every word of it is paid for at the start of each conversation. */

/** The part of JSON Schema that is used here. */
export interface Schema {
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

export const text = (description: string): Schema => ({ type: "string", description });
export const count = (description: string): Schema => ({ type: "integer", minimum: 1, description });
export const flag = (description: string): Schema => ({ type: "boolean", description });
export const oneOf = (description: string, ...words: string[]): Schema => ({
  type: "string",
  enum: words,
  description,
});
export const words = (description: string): Schema => ({ type: "array", items: { type: "string" }, description });
/** A list of objects that have these fields. */
export const list = (...fields: string[]): Schema => ({
  type: "array",
  items: { type: "object", ...(fields.length > 0 && { required: fields }) },
});

/** Fields of answers, which only programs read. */
export const TEXT: Schema = { type: "string" };
export const NUMBER: Schema = { type: "integer" };
export const FLAG: Schema = { type: "boolean" };
export const OBJECT: Schema = { type: "object" };

/** Arguments of several tools. */
export const SYMBOL = text("name, Class.name, path#name or path:line");
export const PATHS = words("globs; !glob excludes");
export const LANGUAGES = words("by name");
export const LIMIT = count("most");
export const CURSOR = text("next_cursor");
export const REPO = text("name, folder");
export const DEPTH: Schema = { type: "integer", minimum: 0, description: "levels" };
export const CONFIDENCE: Schema = { type: "number", minimum: 0, maximum: 1, description: "of edges" };
export const BYTES: Schema = { type: "integer", minimum: 256, description: "of the answer" };
export const MILLIS = count("time limit");
export const TESTS: Schema = { type: "string", enum: ["include", "exclude", "only"], description: "test code" };
