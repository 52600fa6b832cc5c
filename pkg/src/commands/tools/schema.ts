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
export const oneOf = (...words: string[]): Schema => ({ type: "string", enum: words });
export const words = (description: string): Schema => ({ type: "array", items: { type: "string" }, description });
/** A list of objects that have these fields. */
export const list = (...fields: string[]): Schema => ({
  type: "array",
  items: { type: "object", ...(fields.length > 0 && { required: fields }) },
});

export const TEXT: Schema = { type: "string" };
export const COUNT: Schema = { type: "integer", minimum: 1 };
export const NUMBER: Schema = { type: "integer" };
export const DEPTH: Schema = { type: "integer", minimum: 0 };
export const FLAG: Schema = { type: "boolean" };
export const OBJECT: Schema = { type: "object" };
export const SYMBOL = text("name, Class.name, path#name or path:line");
export const PATHS = words("globs; !glob excludes");
export const LANGUAGES: Schema = { type: "array", items: { type: "string" } };
export const CONFIDENCE: Schema = { type: "number", minimum: 0, maximum: 1 };
export const BYTES: Schema = { type: "integer", minimum: 256 };
export const TESTS = oneOf("include", "exclude", "only");
