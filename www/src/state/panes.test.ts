import assert from "node:assert/strict";
import { test } from "node:test";
import type { Place } from "./link.ts";
import { stepped, type Steps } from "./panes.ts";

const place = (text: string): Place => {
  const [path = "", line] = text.split(":");
  return { path, lines: line === undefined ? null : { from: Number(line), to: Number(line) } };
};
const written = ({ path, lines }: Place) => (lines ? `${path}:${lines.from}` : path);

/** Goes to each place; the current one of the steps is in brackets. */
function check(places: string, expected: string): void {
  test(places, () => {
    const start: Steps = { list: [], at: -1 };
    const { list, at } = places.split(" ").reduce((steps, one) => stepped(steps, place(one)), start);
    const all = list.map((one, index) => (index === at ? `[${written(one)}]` : written(one)));
    assert.equal(all.join(" "), expected);
  });
}

check("a b c", "a b [c]");
check("a b a", "[a] b");
check("a b c b", "a [b] c");
check("a b c b d", "a b [d]");
check("a b a b", "a [b]");
check("a a:3 b", "a:3 [b]");
check("a:3 a:9", "a:3 [a:9]");
