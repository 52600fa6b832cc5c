// Made from the routes of the table of tools: the Worker's table in Rust, and the list in docs/edge.md.
import { FIRST_ROUTES, LAST_ROUTES } from "../dist/commands/tools/rest.js";

/** `GET /v1/search?q=&repo=&limit=`: the parameter that must be there first, then the repository. */
function lineOf({ path, view, parameters }, isFirst) {
  const names = parameters.flatMap(({ name, kind }) => {
    if (kind.is !== "view") return [`${name}=`];
    return isFirst ? [] : [`view=${view}`];
  });
  const n_before = parameters.findIndex(({ kind }) => kind.is !== "required" && (kind.is !== "view" || isFirst));
  const at = n_before < 0 ? names.length : Math.min(n_before, names.length);
  return `GET ${path}?${[...names.slice(0, at), "repo=", ...names.slice(at)].join("&")}`;
}

/** The routes with what they answer, as the answer to an unknown path lists them. */
export function routes(tools) {
  const rows = tools.flatMap(({ rest }) => rest ?? []);
  const isFirst = (row) => rows.find(({ path }) => path === row.path) === row;
  const listed = rows.filter(({ about }) => about).map((row) => [lineOf(row, isFirst(row)), row.about]);
  return [...FIRST_ROUTES, ...listed, ...LAST_ROUTES];
}

const quoted = (text) => JSON.stringify(text);
const slice = (items) => `&[${items.join(", ")}]`;

const KINDS = {
  required: ({ give, maxBytes }) => `Kind::Required(${quoted(give)}, ${maxBytes ?? "usize::MAX"})`,
  number: ({ from, to }) => `Kind::Number(${from}, ${to})`,
  choice: ({ of }) => `Kind::Choice(${slice(of.map(quoted))})`,
  text: () => "Kind::Text",
  share: () => "Kind::Share",
  list: () => "Kind::List",
  repeated: () => "Kind::Repeated",
  flag: () => "Kind::Flag",
  either: () => "Kind::Either",
  view: () => "Kind::View",
};

/** crates/edge/src/route/table.rs. */
export function rustTable(tools) {
  const parameter = ({ name, field = name, kind }) =>
    `            Parameter { name: ${quoted(name)}, field: ${quoted(field)}, kind: ${KINDS[kind.is](kind)} },\n`;
  const rows = tools
    .filter(({ rest }) => rest)
    .map(({ name, rest: { path, view = "", parameters } }) => {
      const list = parameters.length > 0 ? `&[\n${parameters.map(parameter).join("")}        ]` : "&[]";
      return `    Route {\n        tool: ${quoted(name)}, path: ${quoted(path)}, view: ${quoted(view)},\n        parameters: ${list},\n    },\n`;
    });
  const lines = routes(tools).map(([route, about]) => `    (${quoted(route)}, ${quoted(about)}),\n`);
  return `//! The routes, from the table of tools in \`pkg/src/commands/tools\`. \`pkg/test/tool-table.test.mjs\` compares and writes it.

use super::read::{Kind, Parameter, Route};

/// A question and the words for it, as the answer to an unknown path lists them.
#[rustfmt::skip]
pub const ROUTES: &[(&str, &str)] = &[
${lines.join("")}];

/// The routes that ask a tool by parameters.
#[rustfmt::skip]
pub const TOOL_ROUTES: &[Route] = &[
${rows.join("")}];
`;
}

/** The rows of the table in docs/edge.md; the Worker's script answers \`/mcp\` itself. */
export function docsTable(tools) {
  const rows = routes(tools).map(([route, about]) => `| \`${route}\` | ${about} |\n`);
  return `| route | answers |\n|---|---|\n${rows.join("")}`;
}
