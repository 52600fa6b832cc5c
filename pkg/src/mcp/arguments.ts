/** The arguments of a call, compared with the tool's schema: a fault is a sentence that names the argument. */

import { PortolanError } from "../errors.js";
import type { ToolSpec } from "./tools.js";
import type { Schema } from "../commands/tools/schema.js";

export type Arguments = Record<string, unknown>;

/**
 * The arguments as the tool wants them. Models write `"5"` for 5 and `"src/**"` for a list of one: that is understood. Throws
 * `request.invalid`.
 */
export function argumentsOf({ name, inputSchema }: ToolSpec, given: unknown): Arguments {
  if (given !== undefined && (typeof given !== "object" || given === null || Array.isArray(given)))
    throw invalid(name, "the arguments must be a JSON object");
  const properties = inputSchema.properties ?? {};
  const read: Arguments = {};
  for (const [key, value] of Object.entries((given ?? {}) as Arguments)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!schema)
      throw invalid(
        name,
        `there is no argument \`${key}\``,
        `arguments: ${Object.keys(properties).join(", ") || "none"}`,
      );
    // An empty argument counts as absent.
    if (value !== null && value !== undefined && value !== "") read[key] = checkedValue(name, key, schema, value);
  }
  for (const key of inputSchema.required ?? []) if (!(key in read)) throw invalid(name, `\`${key}\` is missing`);
  return read;
}

function checkedValue(tool: string, key: string, schema: Schema, value: unknown): unknown {
  const refuse = (wanted: string) => invalid(tool, `\`${key}\` is ${shown(value)}; expected ${wanted}`);
  switch (schema.type) {
    case "string": {
      const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
      if (typeof text !== "string") throw refuse("a text");
      if (schema.enum && !schema.enum.includes(text)) throw refuse(schema.enum.join(", "));
      return text;
    }
    case "integer":
    case "number": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      const { minimum = -Infinity, maximum = Infinity, type } = schema;
      const fits =
        typeof number === "number" &&
        number >= minimum &&
        number <= maximum &&
        (type === "number" || Number.isSafeInteger(number));
      if (!fits) throw refuse(`${type === "integer" ? "a whole number" : "a number"}${bounds(minimum, maximum)}`);
      return number;
    }
    case "boolean":
      if (value === "true" || value === "false") return value === "true";
      if (typeof value !== "boolean") throw refuse("true or false");
      return value;
    case "array": {
      const items = Array.isArray(value) ? value : typeof value === "string" ? listIn(value) : [value];
      return items.map((item) => checkedValue(tool, key, schema.items ?? {}, item));
    }
    case "object": {
      const object = typeof value === "string" ? parsed(value) : value;
      if (typeof object !== "object" || object === null || Array.isArray(object)) throw refuse("an object");
      return object;
    }
    default:
      return value;
  }
}

/** `["a", "b"]` written as a text, or one item. */
function listIn(text: string): unknown[] {
  const list = text.trim().startsWith("[") ? parsed(text) : undefined;
  return Array.isArray(list) ? list : [text];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bounds(minimum: number, maximum: number): string {
  if (maximum !== Infinity) return ` from ${minimum} to ${maximum}`;
  return minimum === -Infinity ? "" : ` from ${minimum} on`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function invalid(tool: string, message: string, help = ""): PortolanError {
  return new PortolanError("request.invalid", `${tool}: ${message}`, help);
}
