import assert from "node:assert/strict";
import { test } from "node:test";
import { type Coloured, coloursOf, hex, properties } from "./colours.ts";

const thing = (change: Partial<Coloured>): Coloured => ({
  language: "rust",
  area: "core",
  complexity: 0,
  lines: 100,
  isTest: false,
  ...change,
});

test("hues become hexadecimal", () => {
  assert.equal(hex(0, 100, 50), "#ff0000");
  assert.equal(hex(120, 100, 25), "#008000");
  assert.equal(hex(0, 0, 100), "#ffffff");
});

test("rare values share a colour, and the legend says so", () => {
  const things = Array.from({ length: 30 }, (_, at) => thing({ language: `l${at % 12}` }));
  const colours = coloursOf(things, "language", false);
  assert.equal(colours.legend.length, 10);
  assert.equal(colours.legend.at(-1)?.label, "other languages");
  assert.equal(colours.of(thing({ language: "cobol" })).label, "other languages");
});

test("areas that hold most files have a colour, not those whose names come first", () => {
  const areas = Array.from({ length: 12 }, (_, at) => thing({ area: `a${at}`, files: at }));
  const colours = coloursOf([...areas, thing({ area: "tests", files: 200 })], "area", false);
  assert.equal(colours.legend[0]?.label, "tests");
  assert.equal(colours.of(thing({ area: "a1" })).label, "other areas");
});

test("complexity is counted per line", () => {
  const colours = coloursOf([], "complexity", false);
  assert.equal(colours.of(thing({ complexity: 1 })).label, "hardly any branches");
  assert.equal(colours.of(thing({ complexity: 40 })).label, "very many branches");
  assert.equal(colours.of(thing({ complexity: 40, lines: 4000 })).label, "hardly any branches");
});

test("churn has a shade for each order of commits, and one for files without", () => {
  const colours = coloursOf([], "churn", false);
  assert.equal(colours.of(thing({ churn: 2 })).label, "1 or 2 commits");
  assert.equal(colours.of(thing({ churn: 30 })).label, "30 to 99 commits");
  assert.equal(colours.of(thing({ churn: 100 })).label, "100 commits or more");
  assert.equal(colours.of(thing({})).label, "no commit yet");
  assert.equal(colours.legend.length, 6);
});

test("text is readable on every soft colour", () => {
  const things = Array.from({ length: 12 }, (_, at) => thing({ language: `l${at}`, area: `a${at}` }));
  for (const by of properties)
    for (const isDark of [false, true])
      for (const { soft, label } of coloursOf(things, by, isDark).legend) {
        const ratio = contrast(soft, isDark ? "#dbe2ea" : "#1b232d");
        assert.ok(ratio >= 4.5, `${by} ${label} ${soft} ${ratio}`);
      }
});

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
