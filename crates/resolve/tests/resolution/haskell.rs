use expect_test::expect;
use graph::EdgeKind;

use crate::{check, check_edges};

#[test]
fn same_file() {
    check(
        r#"
//- /A.hs
module A where
helper :: Int -> Int
helper x = x
x `plus` y = x
a |> b = a
limit = 10
run n = do
  helper 1
  -- <- calls: A.hs:2
  y <- helper n
--     ^ calls: A.hs:2
  act
  -- <- calls: A.hs:42
  z <- act
--     ^ calls: A.hs:42
  mapM_ helper [y]
--      ^ refers: A.hs:2
  return $ helper limit
--         ^ calls: A.hs:2
--                ^ refers: A.hs:6
  helper $ n
  -- <- calls: A.hs:2
  n |> z
--  ^ calls: A.hs:5
  n `plus` y
--   ^ calls: A.hs:4
  print n
  -- <- calls: nothing
  let w = helper n
--        ^ calls: A.hs:2
  if helper n then act else limit
--   ^ calls: A.hs:2
--                 ^ refers: A.hs:42
--                          ^ refers: A.hs:6
  case helper n of
--     ^ calls: A.hs:2
    1 -> helper n
--       ^ calls: A.hs:2
  where
    v = helper 2
--      ^ calls: A.hs:2
act = return ()
"#,
    );
}

#[test]
fn variable_hides_function() {
    check(
        r#"
//- /A.hs
module A where
helper x = x
run helper = helper
--           ^ refers: nothing
other = helper
--      ^ refers: A.hs:2
third x = case x of
  Just helper -> helper
--               ^ refers: nothing
"#,
    );
}

#[test]
fn nested() {
    check(
        r#"
//- /A.hs
module A where
outer n = inner n
--        ^ calls: A.hs:5
  where
    inner x = helper x
--            ^ calls: A.hs:7
helper x = x
"#,
    );
}

#[test]
fn types_and_constructors() {
    check(
        r#"
//- /A.hs
module A where
data Shape = Circle { radius :: Int } | Square Int
newtype Box = Box { unBox :: Shape }
make :: Int -> Shape
--             ^ refers: A.hs:2
make n = Circle { radius = n }
--       ^ calls: A.hs:2
--                ^ refers: A.hs:2
other n = Square n
--        ^ refers: A.hs:2
size s = radius s
--       ^ calls: A.hs:2
open :: Box -> Shape
--      ^ refers: A.hs:3
--             ^ refers: A.hs:2
open b = unBox b
--       ^ calls: A.hs:3
match (Square n) = n
"#,
    );
}

#[test]
fn import() {
    check(
        r#"
//- /App/Main.hs
module App.Main where
import App.Types
import App.Ops (view, Stack(..), (|>))
import qualified App.Map as M
import qualified App.Deep
import App.Hidden hiding (secret)
import Data.List (sort)
run x = do
  view x
  -- <- calls: App/Ops.hs:3
  insert x
  -- <- calls: nothing
  M.insert x x
--  ^ calls: App/Map.hs:3
  App.Deep.dive x
--         ^ calls: App/Deep.hs:2
  make x
  -- <- calls: App/Types.hs:3
  secret x
  -- <- calls: nothing
  open x
  -- <- calls: App/Hidden.hs:3
  x |> x
--  ^ calls: App/Ops.hs:4
  sort x
  -- <- calls: nothing
  M.missing x
--  ^ calls: nothing
  return (focus x)
--        ^ calls: App/Ops.hs:2
size :: Stack -> Name -> M.Map
--      ^ refers: App/Ops.hs:2
--               ^ refers: App/Types.hs:2
--                         ^ refers: App/Map.hs:2
size s = Empty
--       ^ refers: App/Ops.hs:2
//- /App/Types.hs
module App.Types where
type Name = String
make x = x
//- /App/Ops.hs
module App.Ops where
data Stack = Stack { focus :: Int } | Empty
view x = x
a |> b = a
insert x = x
//- /App/Map.hs
module App.Map where
data Map = Map
insert k v = k
//- /App/Deep.hs
module App.Deep where
dive x = x
//- /App/Hidden.hs
module App.Hidden where
secret x = x
open x = x
"#,
    );
}

#[test]
fn passed_on() {
    check(
        r#"
//- /Lib.hs
module Lib (module Lib.Core) where
import Lib.Core
//- /Lib/Core.hs
module Lib.Core where
core x = x
//- /Main.hs
module Main where
import Lib
import qualified Lib as L
main = do
  core 1
  -- <- calls: Lib/Core.hs:2
  L.core 2
--  ^ calls: Lib/Core.hs:2
"#,
    );
}

#[test]
fn classes() {
    check(
        r#"
//- /A.hs
module A where
class Area a where
  area :: a -> Int
  twice :: a -> Int
  twice x = area x
--          ^ calls: A.hs:3
data Square = Square Int
instance Area Square where
--       ^ refers: A.hs:2
  area (Square n) = helper n
--                  ^ calls: A.hs:12
helper n = n
total :: Area a => a -> Int
--       ^ refers: A.hs:2
total x = area x + twice x
--        ^ calls: A.hs:3
--                 ^ calls: A.hs:4
//- /B.hs
module B where
import A (Area(..), Square)
size :: Square -> Int
--      ^ refers: A.hs:7
size s = area s
--       ^ calls: A.hs:3
"#,
    );
}

#[test]
fn supertype_edges() {
    let text = r#"
//- /A.hs
module A where
class Base a where
  base :: a -> Int
class Base a => Area a where
  area :: a -> Int
data Square = Square Int
instance Base Square where
  base s = 1
instance Area Square where
  area s = 2
"#;
    check_edges(
        text,
        EdgeKind::Extends,
        &expect![[r#"
        Area → Base (path)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::Implements,
        &expect![[r#"
        Square → Area (path)
        Square → Base (path)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::Dispatch,
        &expect![[r#"
        Area.area → Square.area (override)
        Base.base → Square.base (override)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::HasMethod,
        &expect![[r#"
        Area → Area.area (structure)
        Base → Base.base (structure)
        Square → Square.area (structure)
        Square → Square.base (structure)
    "#]],
    );
}
