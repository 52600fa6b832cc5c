//! Letters and colour of a file's icon, by its ending or its name.

/** The use of a file. */
export type Family = "code" | "markup" | "style" | "data" | "text" | "test" | "other";

const letters: Readonly<Record<string, string>> = {
  rs: "rs",
  ts: "ts",
  tsx: "tx",
  mts: "ts",
  cts: "ts",
  js: "js",
  jsx: "jx",
  mjs: "js",
  cjs: "js",
  py: "py",
  pyi: "py",
  go: "go",
  java: "jv",
  kt: "kt",
  kts: "kt",
  scala: "sc",
  swift: "sw",
  rb: "rb",
  php: "ph",
  cs: "c#",
  c: "c",
  h: "h",
  cc: "c+",
  cpp: "c+",
  hpp: "h+",
  lua: "lu",
  sh: "sh",
  bash: "sh",
  dart: "da",
  ex: "ex",
  exs: "ex",
  hs: "hs",
  ml: "ml",
  zig: "zg",
  sql: "sq",
  html: "<>",
  vue: "vu",
  svelte: "sv",
  xml: "<>",
  css: "#",
  scss: "#",
  md: "md",
  rst: "rs",
  txt: "tx",
  json: "{}",
  yaml: "ym",
  yml: "ym",
  toml: "tm",
  ini: "in",
  scm: "()",
};

const families: Readonly<Record<string, Family>> = {
  html: "markup",
  xml: "markup",
  vue: "markup",
  svelte: "markup",
  css: "style",
  scss: "style",
  json: "data",
  yaml: "data",
  yml: "data",
  toml: "data",
  ini: "data",
  sql: "data",
  md: "text",
  rst: "text",
  txt: "text",
};

const named: Readonly<Record<string, string>> = {
  dockerfile: "dk",
  makefile: "mk",
  license: "§",
  licence: "§",
  readme: "md",
};

/** At most two letters; a dot for an ending that says nothing. */
export function lettersOf(path: string): string {
  const name = nameOf(path);
  const known = named[name.replace(/[.-].*$/, "")];
  const ending = endingOf(name);
  if (ending === "") return known ?? "·";
  return letters[ending] ?? known ?? ending.slice(0, 2);
}

export function familyOf(path: string): Family {
  if (/(^|\/)(tests?|spec|__tests__)\/|[._-](test|spec)\.[a-z]+$/i.test(path)) return "test";
  const ending = endingOf(nameOf(path));
  return families[ending] ?? (letters[ending] === undefined ? "other" : "code");
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

function endingOf(name: string): string {
  const at = name.lastIndexOf(".");
  // Only letters and digits: an ending may be anything, also what turns the line around.
  return at < 0 ? "" : /^[a-z0-9+#]*$/.test(name.slice(at + 1)) ? name.slice(at + 1) : "";
}
