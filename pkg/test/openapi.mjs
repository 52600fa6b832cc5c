// docs/openapi.json: the paths from the table of tools, the schemas from the types of the wire.
import ts from "typescript";

import {
  DIGEST,
  KIND,
  LANGUAGE,
  narrowed,
  OF_VERSIONS,
  REPOSITORIES_ASKED,
  REPOSITORY,
  REPOSITORY_ASKED,
} from "./openapi-fields.mjs";

/** Schemas of all types of a declaration file by name, and the request, answer and description of each tool. */
export function wire(declarations) {
  const source = ts.createSourceFile("wire.d.ts", declarations, ts.ScriptTarget.Latest, true);
  const schemas = {};
  const tools = {};
  const isWire = (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
  for (const node of source.statements.filter(isWire)) {
    const name = node.name.text;
    if (name === "Tools") for (const member of node.members) tools[member.name.text] = toolOf(member, source);
    else schemas[name] = () => ({ ...docOf(node), ...(node.type ? schemaOf(node.type) : interfaceOf(node)) });
  }
  return { schemas, tools };
}

function toolOf(member, source) {
  const [request, answer] = member.type.elements.map((type) => type.getText(source));
  return { request, answer, about: docOf(member).description };
}

function docOf(node) {
  const comment = ts.getTextOfJSDocComment(node.jsDoc?.[0]?.comment);
  return comment ? { description: comment.replaceAll(/\s*\n\s*/g, " ").trim() } : {};
}

/** The fields of an interface, and those of the ones that it extends. */
function interfaceOf({ heritageClauses = [], members }) {
  const parents = heritageClauses.flatMap(({ types }) => types.map((type) => type.expression.text));
  if (parents.length === 0) return objectOf(members);
  return { allOf: [...parents.map((name) => ({ $ref: `#/components/schemas/${name}` })), objectOf(members)] };
}

/** A field that may be `undefined` without being optional is `null` in JSON. */
function objectOf(members) {
  const properties = {};
  const required = [];
  for (const member of members) {
    if (ts.isIndexSignatureDeclaration(member)) return { type: "object", additionalProperties: schemaOf(member.type) };
    const name = member.name.text;
    properties[name] = withDoc(schemaOf(member.type), docOf(member));
    if (!member.questionToken) required.push(name);
  }
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

const withDoc = (schema, doc) => ({ ...doc, ...schema });

const { SyntaxKind } = ts;
const PLAIN = new Map([
  [SyntaxKind.StringKeyword, { type: "string" }],
  [SyntaxKind.NumberKeyword, { type: "number" }],
  [SyntaxKind.BooleanKeyword, { type: "boolean" }],
  [SyntaxKind.UndefinedKeyword, { type: "null" }],
  [SyntaxKind.AnyKeyword, {}],
  [SyntaxKind.UnknownKeyword, {}],
]);

/** The method, parameters and body of a route of shared indexes. */
function sharedOf(route, responses, { json, ref, bodyOf }) {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    description: PARTS[name],
    schema: schemaNamed(name),
  }));
  const inQuery = Object.entries(route.query ?? {}).map(([name, description]) => ({
    name,
    in: "query",
    description,
    schema: schemaNamed(name),
  }));
  const bytes = { content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } } };
  const isFile = route.name === "get_index";
  const success = route.answer ? responses(ref(route.answer)) : responses({});
  const plain = isFile ? { description: "The bytes.", ...bytes } : { description: "Done." };
  const ok = route.answer ? {} : { [isFile ? 200 : 204]: plain, ...(isFile && { 206: plain }) };
  const { 200: _, ...others } = success;
  const right = route.scope === "any" ? "" : ` Needs the right to ${route.scope}.`;
  const body = route.method === "PUT" ? { required: true, ...bytes } : route.request && bodyOf(route.request);
  return {
    operationId: route.name,
    summary: `${route.about}${right}`,
    security: [{ token: [] }],
    ...(inPath.length + inQuery.length > 0 && { parameters: [...inPath, ...inQuery] }),
    ...(body && { requestBody: body }),
    responses: route.answer ? { ...success, ...statusesOf(route, json, ref) } : { ...ok, ...others },
  };
}

/** Of routes that add a version: whether it is new, or pieces are missing. */
function statusesOf({ name, answer }, json, ref) {
  const status = (description) => ({ description, ...json(ref(answer)) });
  return {
    ...(["put_index", "add_version"].includes(name) && { 201: status("The version was added.") }),
    ...(name === "add_version" && { 202: status("Pieces are missing; nothing was added.") }),
  };
}

const PARTS = {
  name: "The repository; `/` in its name is written %2F.",
  version: "A version: its id, its commit (or their first digits), a tag, or `current`.",
  digest: "SHA-256 of the bytes, 64 hexadecimal digits.",
};
/** Parameters of shared indexes that are no plain texts. */
const SHARED_SCHEMAS = { ...OF_VERSIONS, name: REPOSITORY, digest: DIGEST, switch: { type: "boolean" } };
const schemaNamed = (name) => SHARED_SCHEMAS[name] ?? { type: "string" };

function schemaOf(type) {
  const plain = PLAIN.get(type.kind);
  if (plain) return plain;
  if (ts.isParenthesizedTypeNode(type)) return schemaOf(type.type);
  if (ts.isArrayTypeNode(type)) return { type: "array", items: schemaOf(type.elementType) };
  if (ts.isTypeOperatorNode(type)) return schemaOf(type.type);
  if (ts.isTupleTypeNode(type)) {
    const prefixItems = type.elements.map(schemaOf);
    return { type: "array", prefixItems, minItems: prefixItems.length, maxItems: prefixItems.length };
  }
  if (ts.isLiteralTypeNode(type))
    return type.literal.kind === SyntaxKind.NullKeyword ? { type: "null" } : { const: type.literal.text };
  if (ts.isTypeLiteralNode(type)) return objectOf(type.members);
  if (ts.isIntersectionTypeNode(type)) return { allOf: type.types.map(schemaOf) };
  if (ts.isUnionTypeNode(type)) return unionOf(type.types.map(schemaOf));
  if (ts.isTypeReferenceNode(type)) {
    const name = type.typeName.text;
    if (name === "Record") return { type: "object", additionalProperties: schemaOf(type.typeArguments[1]) };
    return { $ref: `#/components/schemas/${name}` };
  }
  throw new Error(`no schema for ${type.getText()}`);
}

function unionOf(parts) {
  if (parts.every((part) => "const" in part)) return { type: "string", enum: parts.map((part) => part.const) };
  const texts = new Set(parts.map((part) => JSON.stringify(part)));
  return { anyOf: [...texts].map((text) => JSON.parse(text)) };
}

const ERROR = "ErrorBody";
const REPO = {
  name: "repo",
  in: "query",
  description: "The repository; without it the Worker's default.",
  schema: REPOSITORY_ASKED,
};
/** A search over all repositories. */
const repoOf = (tool) => (tool === "search" ? REPOS : REPO);
const REPOS = { ...REPO, description: `${REPO.description} \`*\` asks all.`, schema: REPOSITORIES_ASKED };
/** The answers of a tool: that of one repository, and that of all where it can ask them. */
const answersOf = (tool, { answer }) => (tool === "search" ? [answer, "SearchOfAll"] : [answer]);
const VERSION = {
  name: "version",
  in: "query",
  description: "On a server of shared indexes: a version of the repository; without it the current one.",
  schema: { type: "string" },
};
/** A Worker that is open to everybody asks for no token. */
const IF_SHARED = [{ token: [] }, {}];

/** The routes that ask no index. */
function plainPaths(responses) {
  const text = (type, description) => ({ 200: { description, content: { [type]: { schema: { type: "string" } } } } });
  const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });
  const string = { type: "string" };
  const health = object({ status: string, version: string, format_version: { type: "integer" } });
  const tools = { type: "array", items: object({ name: string, about: string }) };
  const get = (operationId, summary, responses) => ({ get: { operationId, summary, responses } });
  return {
    "/healthz": get(
      "health",
      "Whether the Worker is there, and the format of indexes that it reads.",
      responses(health),
    ),
    "/v1/tools": get("list_tools", "The tools, each with what it is for.", responses(tools)),
    "/openapi.json": get("openapi", "This document.", {
      200: { description: "The document.", content: { "application/json": { schema: { type: "object" } } } },
    }),
    "/metrics": get(
      "metrics",
      "Counts and latencies by route, as Prometheus text. A token adds the counts of the repositories that it may read.",
      { ...text("text/plain", "The text."), default: responses({}).default },
    ),
  };
}

/** The schema of a parameter, as the Worker reads it. */
function parameterSchema(kind, view, field) {
  const items = ITEMS[field] ?? { type: "string" };
  switch (kind.is) {
    case "required":
      return { type: "string", pattern: "\\S" };
    case "number":
      return { type: "integer", minimum: kind.from, maximum: kind.to };
    case "share":
      return { type: "number", minimum: 0, maximum: 1 };
    case "choice":
      return { type: "string", enum: kind.of };
    case "list":
    case "repeated":
      return { type: "array", items };
    case "flag":
    case "either":
      return { type: "boolean" };
    case "view":
      return { type: "string", enum: view };
    default:
      return items;
  }
}

/** Texts of parameters that are one of some words, by the field of the tool's request. */
const ITEMS = { kind: KIND, kinds: KIND, languages: LANGUAGE };

/** Narrows the types that requests hold. Tools refuse fields that they do not know; values of Cypher are of any form. */
function narrowRequests(schemas, ofTools, rows) {
  const visit = (name, seen) => {
    if (seen.has(name) || name === "CypherValue") return;
    seen.add(name);
    const schema = schemas[name]();
    for (const inner of namesIn(schema)) visit(inner, seen);
    const isClosed = name in ofTools && (name.endsWith("Request") || name === "FileVersion");
    schemas[name] = () => narrowed(name, schema, isClosed);
  };
  const seen = new Set();
  for (const { request } of rows) if (request) visit(request, seen);
}

const namesIn = (value) =>
  [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);

/** The whole document; `shared` has the routes of shared indexes and the declarations of their types. */
export function openapi(rows, declarations, version, shared) {
  const { schemas: ofTools, tools } = wire(declarations);
  const schemas = { ...ofTools, ...wire(shared.declarations).schemas };
  narrowRequests(schemas, ofTools, [...Object.values(tools), ...shared.routes]);
  const json = (schema) => ({ content: { "application/json": { schema } } });
  const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
  const responses = (schema) => ({
    200: { description: "The answer.", ...json(schema) },
    default: { description: "Why there is none; docs/edge.md lists the codes.", ...json(ref(ERROR)) },
  });
  const refused = (description, header, about) => ({
    description,
    headers: { [header]: { description: about, required: true, schema: { type: "string" } } },
    ...json(ref(ERROR)),
  });
  const limited = {
    401: refused("A token is missing, or is not valid.", "WWW-Authenticate", "The scheme: Bearer."),
    429: refused("There were too many requests.", "Retry-After", "Seconds after which to try again."),
  };
  // An empty body is `{}`, so one is only needed where a field is.
  const bodyOf = (name) => ({ ...(schemas[name]().required && { required: true }), ...json(ref(name)) });
  const paths = plainPaths(responses);
  const routed = rows.filter(({ rest }) => rest);
  for (const path of new Set(routed.map(({ rest }) => rest.path))) {
    const sharing = routed.filter(({ rest }) => rest.path === path);
    paths[path] = { get: getOf(sharing, tools, responses, ref) };
  }
  for (const [name, { request, answer, about }] of Object.entries(tools)) {
    const post = {
      operationId: name,
      summary: about,
      security: IF_SHARED,
      parameters: [repoOf(name), VERSION],
      requestBody: bodyOf(request),
      responses: responses(oneOf(answersOf(name, { answer }).map(ref))),
    };
    paths[`/v1/${name}`] = { ...paths[`/v1/${name}`], post };
  }
  for (const route of shared.routes)
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: sharedOf(route, responses, { json, ref, bodyOf }),
    };
  for (const operation of Object.values(paths).flatMap(Object.values))
    if (operation.security) operation.responses = { ...operation.responses, ...limited };
  return {
    openapi: "3.1.0",
    info: {
      title: "Portolan",
      version,
      description: "Answers about indexed repositories, from a Cloudflare Worker or a server of shared indexes.",
    },
    paths: sorted(paths),
    components: {
      schemas: reached(schemas, paths),
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "Of a server of shared indexes; docs/shared.md." },
      },
    },
  };
}

function getOf(sharing, tools, responses, ref) {
  const views = sharing.map(({ rest }) => rest.view);
  const parameters = new Map();
  for (const { rest } of sharing)
    for (const { name, field = name, kind } of rest.parameters) {
      const isRequired = kind.is === "required" && { required: true, description: `${kind.give}.` };
      const isSplit = kind.is === "list" && { style: "form", explode: false };
      parameters.set(name, {
        name,
        in: "query",
        ...isRequired,
        ...isSplit,
        schema: parameterSchema(kind, views, field),
      });
    }
  const answers = [...new Set(sharing.flatMap(({ name }) => answersOf(name, tools[name])))].map(ref);
  return {
    operationId: `get_${sharing[0].name}`,
    summary: sharing.map(({ name }) => tools[name].about).join(" "),
    security: IF_SHARED,
    parameters: [...parameters.values(), repoOf(sharing[0].name), VERSION],
    responses: responses(oneOf(answers)),
  };
}

const oneOf = (answers) => (answers.length > 1 ? { anyOf: answers } : answers[0]);
const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The schemas that paths name, and those that these name. */
function reached(schemas, paths) {
  const found = {};
  const visit = (value) => {
    for (const name of namesIn(value)) {
      if (found[name]) continue;
      if (!schemas[name]) throw new Error(`no type ${name}`);
      found[name] = schemas[name]();
      visit(found[name]);
    }
  };
  visit(paths);
  return sorted(found);
}

/** Where a value of JSON differs from its schema; undefined where it fits. `undefined` of JavaScript is `null` or absent in JSON. */
export function misfit(value, schema, schemas, at = "answer") {
  if (schema.$ref) return misfit(value, schemas[schema.$ref.split("/").at(-1)], schemas, at);
  if (schema.anyOf) {
    const faults = schema.anyOf.map((one) => misfit(value, one, schemas, at));
    return faults.includes(undefined) ? undefined : faults[0];
  }
  for (const part of schema.allOf ?? []) {
    const fault = misfit(value, part, schemas, at);
    if (fault) return fault;
  }
  if ("const" in schema && value !== schema.const) return `${at}: ${value} is not ${schema.const}`;
  if (schema.enum && !schema.enum.includes(value)) return `${at}: ${value} is none of ${schema.enum}`;
  const type = value == null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const isOfType = schema.type === "integer" ? Number.isInteger(value) : schema.type === type;
  if (schema.type && !isOfType) return `${at}: ${type} instead of ${schema.type}`;
  if (type === "array") return first(value, (item, i) => misfit(item, schema.items ?? {}, schemas, `${at}[${i}]`));
  if (type !== "object") return undefined;
  const fields = schema.properties ?? {};
  const missing = (schema.required ?? []).find((name) => !(name in value) && !takesNull(fields[name]));
  if (missing) return `${at}: ${missing} is missing`;
  return first(Object.entries(value), ([name, item]) => {
    const field = fields[name] ?? schema.additionalProperties;
    if (item === undefined && !schema.required?.includes(name)) return undefined;
    return field === undefined ? undefined : misfit(item, field, schemas, `${at}.${name}`);
  });
}

const takesNull = (schema) => schema.type === "null" || schema.anyOf?.some(takesNull);

function first(items, faultOf) {
  for (const [i, item] of items.entries()) {
    const fault = faultOf(item, i);
    if (fault) return fault;
  }
  return undefined;
}
