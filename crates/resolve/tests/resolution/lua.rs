use expect_test::expect;
use graph::EdgeKind;

use crate::{check, check_edges};

#[test]
fn same_file() {
    check(
        r#"
//- /a.lua
local function helper(x) return x end
function global() helper(1) end
--                ^ calls: a.lua:1
local made = function() helper(2) end
--                      ^ calls: a.lua:1
local function run()
  helper(3)
  -- <- calls: a.lua:1
  global()
  -- <- calls: a.lua:2
  made()
  -- <- calls: a.lua:4
  each(helper)
--     ^ refers: a.lua:1
  print("x")
  -- <- calls: nothing
  local f = function() return helper(4) end
--                            ^ calls: a.lua:1
  f()
  -- <- calls: a.lua:17
end
run()
-- <- calls: a.lua:6
"#,
    );
}

#[test]
fn variable_hides_function() {
    check(
        r#"
//- /a.lua
local function helper() end
local function run(helper)
  helper()
  -- <- calls: nothing
end
local function other()
  local helper = 1
  helper()
  -- <- calls: nothing
end
"#,
    );
}

#[test]
fn module_table() {
    check(
        r#"
//- /a.lua
local M = {}
M.limit = 10
function M.helper(x) return x end
M.assigned = function() end
function M:method()
  self.helper(1)
--     ^ calls: a.lua:3
  self:method()
--     ^ calls: a.lua:5
  M.helper(2)
--  ^ calls: a.lua:3
  M.assigned()
--  ^ calls: a.lua:4
  return M.limit
--         ^ refers: a.lua:2
end
M.helper(M.limit)
  -- <- calls: a.lua:3
--         ^ refers: a.lua:2
return M
"#,
    );
}

#[test]
fn require() {
    check(
        r#"
//- /lua/app/init.lua
local util = require("app.util")
local Config = require "app.config"
local clean = require("app.util").clean
local json = require("json")
local M = {}
function M.setup(x)
  util.clean(x)
--     ^ calls: lua/app/util.lua:2
  clean(x)
  -- <- calls: lua/app/util.lua:2
  Config.load()
--       ^ calls: lua/app/config.lua:3
  Config.options = x
--       ^ refers: lua/app/config.lua:2
  json.decode(x)
--     ^ calls: nothing
  require("app.util").clean(x)
--                    ^ calls: lua/app/util.lua:2
  require("app.config").load()
--                      ^ calls: lua/app/config.lua:3
  local late = require("app.late")
  late.go()
--     ^ calls: lua/app/late.lua:1
  late.local_one()
--     ^ calls: nothing
end
return M
//- /lua/app/util.lua
local M = {}
function M.clean(x) end
return M
//- /lua/app/config.lua
local Config = {}
Config.options = {}
function Config.load() end
return setmetatable(Config, {})
//- /lua/app/late.lua
local function go() end
local function local_one() end
return { go = go }
"#,
    );
}

#[test]
fn classes() {
    check(
        r#"
//- /a.lua
local Client = {}
Client.__index = Client
function Client.new() return setmetatable({}, Client) end
function Client:get(path) end
---@class Router
local Router = {}
Router.__index = Router
function Router.new(prefix)
  local self = setmetatable({}, Router)
  self.client = Client.new()
  self:add(prefix)
--     ^ calls: a.lua:15
  return self
end
function Router:add(path)
  self.client:get(path)
--            ^ calls: a.lua:4
  self.client.get(path)
--            ^ calls: a.lua:4
  return self
end

local r = Router.new("/")
--               ^ calls: a.lua:8
r:add("x")
  -- <- calls: a.lua:15
local c = Client.new()
--               ^ calls: a.lua:3
c:get("x")
  -- <- calls: a.lua:4
Router.new("/"):add("y")
--              ^ calls: a.lua:15
local again = r
again:add("z")
--    ^ calls: a.lua:15
return Router
//- /c.lua
local Router = require("a")
local r = Router.new("/")
--               ^ calls: a.lua:8
r:add("x")
  -- <- calls: a.lua:15
Router.new("/"):add("y")
--     ^ calls: a.lua:8
--              ^ calls: a.lua:15
"#,
    );
}

#[test]
fn inheritance() {
    check(
        r#"
//- /a.lua
local Base = {}
function Base:greet() end
function Base.make() end
local Child = setmetatable({}, { __index = Base })
function Child:run()
  self:greet()
--     ^ calls: a.lua:2
  Child.make()
--      ^ calls: a.lua:3
end
local Third = Base:extend()
function Third:go() self:greet() end
--                       ^ calls: a.lua:2
"#,
    );
}

#[test]
fn annotations() {
    check(
        r#"
//- /a.lua
---@class Pool
local Pool = {}
function Pool:take() end
---@return Pool
local function make() end
---@param pool Pool
local function use(pool)
  pool:take()
--     ^ calls: a.lua:3
  local other = make()
--              ^ calls: a.lua:5
  other:take()
--      ^ calls: a.lua:3
  make():take()
  -- <- calls: a.lua:5
--       ^ calls: a.lua:3
end
"#,
    );
}

#[test]
fn globals() {
    check(
        r#"
//- /z.lua
local M = {}
function M.require() end
local function loadfile() end
return M
//- /a.lua
function only_one() end
function twice() end
//- /b.lua
function twice() end
only_one()
-- <- calls: a.lua:1
//- /c.lua
local function run()
  only_one()
  -- <- calls: a.lua:1
  twice()
  -- <- calls: nothing
  require(x)
  -- <- calls: nothing
  loadfile(x)
  -- <- calls: nothing
end
"#,
    );
}

#[test]
fn supertype_edges() {
    let text = r#"
//- /a.lua
local Base = {}
function Base:greet() end
local Child = setmetatable({}, { __index = Base })
function Child:greet() end
---@class Third: Child
local Third = {}
"#;
    check_edges(
        text,
        EdgeKind::Extends,
        &expect![[r#"
        Child → Base (same-file)
        Third → Child (same-file)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::HasMethod,
        &expect![[r#"
        Base → Base.greet (structure)
        Child → Child.greet (structure)
    "#]],
    );
}
