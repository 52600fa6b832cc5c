use expect_test::expect;
use syntax::Language::Lua;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Lua,
        r#"local LIMIT = 10
local a, b = 1
name = "x"
local later
local function helper(x, ...) return x end
function global(a, b)
  if a and b or not a then return end
  for i = 1, 10 do end
  for _, v in ipairs(a) do end
  while true do end
  repeat until a
end
local square = function(x) return x * x end
triple = function(x) return x end
describe("thing", function()
  it("works", function() assert(x) end)
end)
"#,
        expect![[r#"
            Constant LIMIT 1-1 [PRIVATE] `local LIMIT = 10`
            Variable a 2-2 [PRIVATE] `local a, b = 1`
            Variable b 2-2 [PRIVATE] `local a, b = 1`
            Variable name 3-3 [EXPORTED] `name = "x"`
            Variable later 4-4 [PRIVATE] `local later`
            Function helper 5-5 [PRIVATE] `local function helper(x, ...)` (x: )
            Function global 6-12 [EXPORTED] `function global(a, b)` (a: ) (b: ) cx 8
            Function square 13-13 [PRIVATE] `local square = function(x)` (x: )
            Function triple 14-14 [EXPORTED] `triple = function(x)` (x: )
            Function thing 15-17 [TEST] `describe("thing"`
            Function thing.works 16-16 [TEST] `it("works"`
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Lua,
        r#"local M = {}
M.count = 1
M.run = helper
---@class Router
local Router = {}
Router.__index = Router
function Router.new(a) return setmetatable({}, Router) end
function Router:add(path, cb) end
function M.a.b.deep() end
M.handler = function(req) return req end
function M._private() end
function M.explicit(self, x) end
local api = { get = function() end, ["quoted"] = function(z) end, plain = 1 }
return M
"#,
        expect![[r#"
            Variable M 1-1 [PRIVATE] `local M = {}`
            Field count 2-2 [EXPORTED] `M.count = 1` owner M
            Field run 3-3 [EXPORTED] `M.run = helper` owner M
            Class Router 5-5 [PRIVATE] `local Router = {}`
            Function new 7-7 [EXPORTED STATIC] `function Router.new(a)` (a: ) owner Router
            Method add 8-8 [EXPORTED] `function Router:add(path, cb)` (path: ) (cb: ) owner Router
            Function deep 9-9 [EXPORTED STATIC] `function M.a.b.deep()` owner M.a.b
            Function handler 10-10 [EXPORTED STATIC] `M.handler = function(req)` (req: ) owner M
            Function _private 11-11 [STATIC] `function M._private()` owner M
            Function explicit 12-12 [EXPORTED STATIC] `function M.explicit(self, x)` (x: ) owner M
            Variable api 13-13 [PRIVATE] `local api = { get = function() end, ["quoted"] = function(z) end, plain = 1 }`
            Method api.get 13-13 [EXPORTED] `get = function()`
            Method api.quoted 13-13 [EXPORTED] `["quoted"] = function(z)` (z: )
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Lua,
        r#"function outer()
  local function inner()
    local function innermost() helper() end
    innermost()
  end
  local x = 1
  local made = function() end
  return { method = function() inner() end }
end
"#,
        expect![[r#"
            Function outer 1-9 [EXPORTED] `function outer()`
            Function outer.inner 2-5 [PRIVATE] `local function inner()`
            Function outer.inner.innermost 3-3 [PRIVATE] `local function innermost()`
            Function outer.made 7-7 [PRIVATE] `local made = function()`
            Method outer.method 8-8 [EXPORTED] `method = function()`
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Lua,
        r#"local util = require("lazy.util")
local Config = require "lazy.core.config"
local join = require("path").join
require("side.effect")
require("plugin").setup({})
local ok, maybe = pcall(require, "optional")
local a, b = require("a"), require("b")
local function f()
  local late = require("late")
end
M.lazy = require("field")
return M
"#,
        expect![[r#"
            "lazy.util" "" as "util" MODULE in <file>
            "lazy.core.config" "" as "Config" MODULE in <file>
            "path" "join" as "join" in <file>
            "side.effect" "" as "" SIDE_EFFECT in <file>
            "plugin" "" as "" SIDE_EFFECT in <file>
            "optional" "" as "maybe" MODULE in <file>
            "a" "" as "a" MODULE in <file>
            "b" "" as "b" MODULE in <file>
            "late" "" as "late" MODULE in f
            "field" "" as "" SIDE_EFFECT in <file>
            "" "M" as "default" REEXPORT in <file>
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Lua,
        r#"local A = setmetatable({}, { __index = Base })
local B = setmetatable({}, pkg.Meta)
local C = Base:extend()
---@class D: A, pkg.Other
local D = {}
local E = {}
"#,
        expect![[r#"
            Variable A 1-1 [PRIVATE] `local A = setmetatable({}, { __index = Base })` Extends Base
            Variable B 2-2 [PRIVATE] `local B = setmetatable({}, pkg.Meta)` Extends pkg.Meta
            Variable C 3-3 [PRIVATE] `local C = Base:extend()` Extends Base
            Class D 5-5 [PRIVATE] `local D = {}` Extends A Extends pkg.Other
            Variable E 6-6 [PRIVATE] `local E = {}`
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Lua,
        r#"function handler(req)
  helper(1, x)
  self.client.get(url):json()
  local r = Foo.new(Bar.new())
  self:handle(req)
  table.sort(items, by_name)
  util.try(function() return callback(req) end)
  require("mod").setup { a = 1 }
  print "text"
  return M.LIMIT
end
print(string.format("a", LIMIT))
"#,
        expect![[r#"
            Call helper (2) in handler line 2
            Value x in handler line 2
            Value self in handler line 3
            Member self . client in handler line 3
            MethodCall self.client . get (1) in handler line 3
            Value url in handler line 3
            MethodCall self.client.get(url) . json (0) in handler line 3
            Value Foo in handler line 4
            MethodCall Foo . new (1) in handler line 4
            Value Bar in handler line 4
            MethodCall Bar . new (0) in handler line 4
            Value self in handler line 5
            MethodCall self . handle (1) in handler line 5
            Value table in handler line 6
            MethodCall table . sort (2) in handler line 6
            Value items in handler line 6
            Value by_name in handler line 6
            Value util in handler line 7
            MethodCall util . try (1) in handler line 7
            Call callback (1) in handler line 7
            MethodCall require("mod") . setup (1) in handler line 8
            Call print (1) in handler line 9
            Value M in handler line 10
            Member M . LIMIT in handler line 10
            Call print (1) in <file> line 12
            Value string in <file> line 12
            MethodCall string . format (2) in <file> line 12
            Value LIMIT in <file> line 12
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Lua,
        r#"function M:f(a, b)
  local x = Foo.new()
  local y = client:load(1)
  local self = setmetatable({}, Router)
  local s = setmetatable({}, { __index = Router })
  self.session = Session.new()
  self.other = a
  local w = v or Default()
  for _, item in ipairs(self.items) do end
  for i = 1, 2 do end
  local m, n = pair()
  local z = M.thing
end
"#,
        expect![[r#"
            a Alias "" in f
            b Alias "" in f
            x Call "Foo.new" in f
            y Call "client:load" in f
            self Constructed "Router" in f
            s Constructed "Router" in f
            self.session Call "Session.new" in f
            self.other Alias "a" in f
            w Call "Default" in f
            item Element "self.items" in f
            i Alias "" in f
            m Call "pair" in f
            n Alias "" in f
            z Alias "M.thing" in f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Lua,
        r#"#!/usr/bin/env lua
--- First line.
---
--- More.
---@param a string
---@return Router
local function f(a) end

-- A table.
-- Of two lines.
local A = {}

-- far away

function g() end
--[[ A block
of lines. ]]
function h() end
"#,
        expect![[r#"
            f "First line.\n\nMore.\n@param a string\n@return Router" []
            A "A table.\nOf two lines." []
            g "" []
            h "A block\nof lines." []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Lua,
        r#"local function before() a() end
function broken(
  x = = 1
local After = {}
function After:m()
  return (
end
function last() end
"#,
        expect![[r#"
            Function before 1-1 [PRIVATE] `local function before()`
            Variable After 4-4 [PRIVATE] `local After = {}`
            Method m 5-8 [EXPORTED] `function After:m()` owner After
            Syntax line 2: text does not fit the grammar
            Syntax line 7: text does not fit the grammar
            Syntax line 8: ) is missing
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Lua,
        r#"local function hidden() end
local LIMIT = 3
function M.shown() end
local M = {}
"#,
        expect![[r#"
            Function hidden 1-1 [PRIVATE] `local function hidden()`
            Constant LIMIT 2-2 [PRIVATE] `local LIMIT = 3`
            Function shown 3-3 [EXPORTED STATIC] `function M.shown()` owner M
            Variable M 4-4 [PRIVATE] `local M = {}`
        "#]],
    );
}
