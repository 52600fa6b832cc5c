// crates/portolan/src/program/tools.json: the tools as the native program takes them on its command line. Required fields of a request are
// operands, in their order; the others are options.
import { wire } from "./openapi.mjs";

export function nativeTools(rows, declarations) {
  const { schemas, tools } = wire(declarations);
  const resolved = (schema) => ("$ref" in schema ? resolved(schemas[schema.$ref.split("/").at(-1)]()) : schema);
  const list = rows.flatMap(({ name, asks }) => {
    const tool = asks === undefined ? tools[name] : undefined;
    if (!tool || !(tool.request in schemas)) return [];
    const { properties = {}, required = [] } = schemas[tool.request]();
    const fields = Object.entries(properties).map(([field, schema]) => {
      const { type = "string" } = resolved(schema);
      return { name: field, type, about: schema.description ?? "" };
    });
    return [{ name, about: tool.about ?? "", operands: required, fields }];
  });
  return `${JSON.stringify(
    list.sort((a, b) => (a.name < b.name ? -1 : 1)),
    null,
    1,
  )}\n`;
}
