use crate::check;

#[test]
fn import() {
    check(
        r#"
//- /lib/express.js
var application = require('./application');
var { escape, tidy: clean } = require('./utils');
exports = module.exports = createApplication;
function createApplication() {
  application.init();
  //          ^ calls: lib/application.js:2
  escape();
  //<- calls: lib/utils.js:1
  clean();
  //<- calls: lib/utils.js:2
}
//- /lib/application.js
var app = exports = module.exports = {};
app.init = function init() {
  this.defaults();
  //   ^ calls: lib/application.js:6
};
app.defaults = function defaults() {};
//- /lib/utils.js
function escape() {}
exports.tidy = function tidy() {};
module.exports.escape = escape;
//- /index.js
module.exports = require('./lib/express');
//- /examples/a.js
const express = require('..');
express();
//<- calls: lib/express.js:4
"#,
    );
}

#[test]
fn modules_where_they_are_used() {
    check(
        r#"
//- /commands.js
export async function index(folder) {}
export default function all() {}
export const later = () => import("./other.js");
//- /other.js
module.exports = function other() {};
module.exports.part = function () {};
//- /main.js
const RUNS = {
  index: async (folder) => (await import("./commands.js")).index(folder),
  //                                                       ^ calls: commands.js:1
};
async function main() {
  const found = await (await import('./commands.js')).default();
  //                                                  ^ calls: commands.js:2
  require("./other").part();
  //                 ^ calls: other.js:2
  require("elsewhere").part();
  //                   ^ calls: nothing
}
"#,
    );
}

#[test]
fn modules_that_are_bound() {
    check(
        r#"
//- /commands.js
export function list(folder) {}
export function again() {}
//- /given.js
export const given = await import("./commands.js");
//- /taker.js
import { given } from "./given.js";
run(given);
//  ^ refers: given.js:1
//- /main.js
const c = await import('./commands.js');
c.list();
//^ calls: commands.js:1
function f() {
  const b = require("./commands.js");
  b.list();
  //^ calls: commands.js:1
}
const { again } = await import('./commands.js');
again();
//<- calls: commands.js:2
async function g() {
  const { list: all } = await import("./commands.js");
  all();
  //<- calls: commands.js:1
  const h = await import("./commands.js");
  h.list();
  //^ calls: commands.js:1
}
"#,
    );
}
