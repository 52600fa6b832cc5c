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
