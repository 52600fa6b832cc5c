//! Tables of Lua as modules and classes: made by functions, by libraries of classes, by metatables.

use crate::check;

#[test]
fn names_of_functions() {
    check(
        r#"
//- /a.lua
local util = require("util")
local check, clean = util.check, util.clean
local insert = table.insert
function insert_all() end
local M = {}
local function hidden() end
M.shown = hidden
M.checked = util.check
function M.run(list)
  check(list)
  -- <- calls: util.lua:2
  clean(list)
  -- <- calls: util.lua:3
  insert(list, 1)
  -- <- calls: nothing
  M.shown()
--  ^ calls: a.lua:6
  M.checked()
--  ^ calls: util.lua:2
  local late = list and util.clean or nil
  late()
  -- <- calls: util.lua:3
end
return M
//- /util.lua
local util = {}
function util.check(x) end
function util.clean(x) end
function util.insert(x) end
return util
"#,
    );
}

#[test]
fn functions_that_return_tables() {
    check(
        r#"
//- /core.lua
return function(options)
  local core = {}
  local root = require 'context'()
  core.context = root.ref()
  function core.publish(channel) end
  function core.run()
    core.publish(1)
--       ^ calls: core.lua:5
    core.context.get(2)
--               ^ calls: context.lua:5
    core.context.publish(2)
--               ^ calls: nothing
  end
  return core
end
//- /context.lua
return function()
  local context = {}
  function context.ref()
    local ref = {}
    function ref.get(key) end
    return ref
  end
  return context
end
//- /block.lua
return function(core)
  core.publish(1)
--     ^ calls: core.lua:5
  core.context.get(2)
--             ^ calls: context.lua:5
end
//- /main.lua
local core = require("core")({})
core.publish(1)
--   ^ calls: core.lua:5
require 'block'(core)
local status = require 'status'
status('x'):get()
--          ^ calls: status.lua:8
local cli = require 'cli'()
cli:parse(1)
--  ^ calls: cli.lua:4
//- /status.lua
local function of(status)
  return status
end
return function(status)
  local value = of(status)
--              ^ calls: status.lua:1
  local object = {
    get = function(self) return value end,
  }
  return setmetatable(object, { __index = {} })
end
//- /cli.lua
local function parse(args) end
return function()
  return {
    parse = function(self, args)
      return parse(args)
--           ^ calls: cli.lua:1
    end,
  }
end
"#,
    );
}

#[test]
fn classes_of_libraries() {
    check(
        r#"
//- /shapes.lua
local class = require 'class'
local Shape = class()
function Shape:_init(name) end
function Shape:area() return self end
local Square = class(Shape)
function Square:side()
  self:area():side()
--     ^ calls: shapes.lua:4
--            ^ calls: shapes.lua:6
end
local s = Square()
s:area()
  -- <- calls: shapes.lua:4
Square(1):side()
--        ^ calls: shapes.lua:6
return { Square = Square }
//- /use.lua
local shapes = require 'shapes'
local Square = shapes.Square
local square = Square(1)
square:side()
--     ^ calls: shapes.lua:6
shapes.Square(2):area()
--               ^ calls: shapes.lua:4
local function draw(square)
  square:side()
--       ^ calls: shapes.lua:6
end
"#,
    );
}

#[test]
fn metatables() {
    check(
        r#"
//- /base.lua
local Base = {}
Base.__index = Base
function Base:new(o) return setmetatable(o or {}, self) end
function Base:greet() return self end
return Base
//- /child.lua
local Base = require 'base'
local Child = {}
Child.__index = Child
setmetatable(Child, { __index = Base })
function Child:run()
  self:greet()
--     ^ calls: base.lua:4
end
local child = Child:new()
child:run()
--    ^ calls: child.lua:5
child:greet():run()
--    ^ calls: base.lua:4
--            ^ calls: child.lua:5
local meta = { __index = Base }
local function make()
  local made = setmetatable({}, meta)
  return made
end
make():greet()
--     ^ calls: base.lua:4
local Other = setmetatable({}, { __call = function(_, x) return x end })
function Other:go() end
Other(1):go()
--       ^ calls: child.lua:23
"#,
    );
}

#[test]
fn tables_by_another_name() {
    check(
        r#"
//- /tools.lua
local tools = {}
local M = tools
function M.split(text) end
function tools.join(list)
  M.split("a")
--  ^ calls: tools.lua:3
end
return tools
//- /use.lua
local tools = require 'tools'
local join = tools.join
tools.split("a")
--    ^ calls: tools.lua:3
join({})
  -- <- calls: tools.lua:4
"#,
    );
}

#[test]
fn tables_whose_functions_are_assigned() {
    check(
        r#"
//- /base.lua
return function()
  local output = { lines = {} }
  output.format = function(line) end
  output.close = function()
    output.format(1)
--         ^ calls: base.lua:3
  end
  return output
end
//- /use.lua
return function(options)
  local output = require 'base'()
  output.flush = function()
    output.format(2)
--         ^ calls: base.lua:3
  end
end
"#,
    );
}

#[test]
fn classes_by_the_value_of_a_variable() {
    check(
        r#"
//- /list.lua
local List = {}
List.__index = List
local function make(items, like)
  local class = List
  if like then
    class = getmetatable(like)
  end
  return setmetatable(items, class)
end
function List:copy()
  local made = make({}, self)
  made:extend(self)
--     ^ calls: list.lua:16
  return made
end
function List:extend(other) end
return List
"#,
    );
}

#[test]
fn modules_that_make_their_members() {
    check(
        r#"
//- /runner/core.lua
return function()
  local runner = {}
  function runner.subscribe(name) end
  return runner
end
//- /runner/init.lua
return setmetatable({}, {
  __index = function(self, key)
    return self.api[key]
  end
})
//- /use.lua
local runner = require 'runner'
runner.subscribe("a")
--     ^ calls: runner/core.lua:3
runner.missing("a")
--     ^ calls: nothing
//- /stubs.lua
function next(table) end
//- /main.lua
if next({}) then end
-- ^ calls: nothing
"#,
    );
}
