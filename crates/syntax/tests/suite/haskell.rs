use expect_test::expect;
use syntax::Language::Haskell;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Haskell,
        r#"{-# LANGUAGE LambdaCase #-}
module App.Fetch (fetch, Name, (|>), limit) where

type Name = String
fetch :: (Eq a) => Int -> [a] -> (a -> b) -> IO ()
fetch 0 _ _ = return ()
fetch n (x:xs) f
  | n > 1 && n < 3 = go n
  | otherwise = case n of
      1 -> a
      _ -> b
private a b = if a then b else a
(|>) :: a -> b -> a
a |> b = a
x `plus` y = x
limit :: Int
limit = 10
first, second :: Int
first = 1
second = 2
foreign import ccall "x" cfun :: Int -> Int
prop_it x = True
"#,
        expect![[r#"
            TypeAlias Name 4-4 [EXPORTED] `type Name = String` -> String
            Function fetch 5-11 [EXPORTED] `fetch :: (Eq a) => Int -> [a] -> (a -> b) -> IO ()` (0: Int) (_: [a]) (_: (a -> b)) -> IO () cx 7
            Function private 12-12 `private a b` (a: ) (b: ) cx 2
            Function |> 13-14 [EXPORTED] `(|>) :: a -> b -> a` (a: a) (b: b) -> a
            Function plus 15-15 `x `plus` y` (x: ) (y: )
            Function limit 16-17 [EXPORTED] `limit :: Int` -> Int
            Function first 19-19 `first`
            Function second 20-20 `second`
            Function cfun 21-21 [DECLARATION] `cfun :: Int -> Int` (: Int) -> Int
            Function prop_it 22-22 [TEST] `prop_it x` (x: )
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Haskell,
        r#"module Shapes where
data Shape a = Circle { radius :: Double, name, label :: String } | Square Double a | Empty | a :+: a
  deriving (Show, Eq)
newtype Wrapper m = Wrapper { unwrap :: StateT Int m }
data Point = Point Int Int
data G a where
  MkG :: Int -> G Int
class (Eq a) => Area a where
  area :: a -> Double
  area _ = 0
  (<+>) :: a -> a -> a
instance Area (Shape b) where
  area (Circle r _ _) = r
  area Empty = 0
  a <+> b = a
deriving instance Show Point
"#,
        expect![[r#"
            Enum Shape 2-3 [EXPORTED] `data Shape a`
            Variant Shape.Circle 2-2 [EXPORTED] `Circle { radius :: Double, name, label :: String }`
            Field Shape.Circle.radius 2-2 [EXPORTED] `radius :: Double` -> Double
            Field Shape.Circle.name 2-2 [EXPORTED] `name, label :: String` -> String
            Field Shape.Circle.label 2-2 [EXPORTED] `name, label :: String` -> String
            Variant Shape.Square 2-2 [EXPORTED] `Square Double a`
            Variant Shape.Empty 2-2 [EXPORTED] `Empty`
            Variant Shape.:+: 2-2 [EXPORTED] `a :+: a`
            Struct Wrapper 4-4 [EXPORTED] `newtype Wrapper m = Wrapper`
            Variant Wrapper.Wrapper 4-4 [EXPORTED] `Wrapper { unwrap :: StateT Int m }`
            Field Wrapper.Wrapper.unwrap 4-4 [EXPORTED] `unwrap :: StateT Int m` -> StateT Int m
            Struct Point 5-5 [EXPORTED] `data Point`
            Variant Point.Point 5-5 [EXPORTED] `Point Int Int`
            Struct G 6-7 [EXPORTED] `data G a`
            Variant G.MkG 7-7 [EXPORTED] `MkG :: Int -> G Int` -> Int -> G Int
            Trait Area 8-11 [EXPORTED] `class (Eq a) => Area a` Extends Eq
            Method Area.area 9-10 [EXPORTED] `area :: a -> Double` (_: a) -> Double
            Method Area.<+> 11-11 [EXPORTED DECLARATION] `(<+>) :: a -> a -> a` (: a) (: a) -> a
            Impl Shape 12-15 [EXPORTED] `instance Area (Shape b)` Implements Area
            Method Shape.area 13-14 [EXPORTED] `area (Circle r _ _)` ((Circle r _ _): ) cx 2
            Method Shape.<+> 15-15 [EXPORTED] `a <+> b` (a: ) (b: )
            Impl Point 16-16 [EXPORTED] `deriving instance Show Point` Implements Show
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Haskell,
        r#"outer n = inner n
  where
    inner :: Int -> Int
    inner 0 = 1
    inner x = let deep y = y + 1 in deep x
    constant = 3
"#,
        expect![[r#"
            Function outer 1-6 [EXPORTED] `outer n` (n: )
            Function outer.inner 4-5 `inner 0` (0: ) cx 2
            Function outer.inner.deep 5-5 `deep y` (y: )
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Haskell,
        r#"module App.Main (main) where
import Data.Map (Map, insert, (!))
import qualified Data.Map as M
import qualified Data.Set
import Data.List hiding (insert, sort)
import App.Types
import App.Ops as Ops (view, Stack(..), Shape(Circle, Square))
"#,
        expect![[r#"
            package App.Main
            "Data.Map" "Map" as "Map" in <file>
            "Data.Map" "insert" as "insert" in <file>
            "Data.Map" "!" as "!" in <file>
            "Data.Map" "" as "M" MODULE in <file>
            "Data.Set" "" as "Data.Set" MODULE in <file>
            "Data.List" "insert,sort" as "" GLOB in <file>
            "App.Types" "" as "" GLOB in <file>
            "App.Ops" "" as "Ops" MODULE in <file>
            "App.Ops" "view" as "view" in <file>
            "App.Ops" "Stack" as "Stack" in <file>
            "App.Ops" "Stack" as "Stack(..)" in <file>
            "App.Ops" "Shape" as "Shape" in <file>
            "App.Ops" "Circle" as "Circle" in <file>
            "App.Ops" "Square" as "Square" in <file>
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Haskell,
        r#"class Base a
class (Base a, Pkg.Other a) => Child a
instance Base Int
instance Child (Maybe a) where
  run = id
data None = None
"#,
        expect![[r#"
            Trait Base 1-1 [EXPORTED] `class Base a`
            Trait Child 2-2 [EXPORTED] `class (Base a, Pkg.Other a) => Child a` Extends Base Extends Pkg.Other
            Impl Int 3-3 [EXPORTED] `instance Base Int` Implements Base
            Impl Maybe 4-5 [EXPORTED] `instance Child (Maybe a)` Implements Child
            Method Maybe.run 5-5 [EXPORTED] `run`
            Struct None 6-6 [EXPORTED] `data None`
            Variant None.None 6-6 [EXPORTED] `None`
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Haskell,
        r#"handler :: Request -> M.Map Int Response -> IO ()
handler req m = do
  helper 1 req
  x <- load
  y <- M.insert 1 x m
  let z = Circle { radius = 1 }
  mapM_ process [x, y]
  when (x == y) $ putStrLn "text"
  render $ x |> limit
  x `plus` y
  M.view . go <$> z
  finish
  return (Just z)
"#,
        expect![[r#"
            Type Request in handler line 1
            Type M . Map in handler line 1
            Type Int in handler line 1
            Type Response in handler line 1
            Type IO in handler line 1
            Call helper in handler line 3
            Call load in handler line 4
            PathCall M . insert in handler line 5
            New Circle in handler line 6
            Value radius in handler line 6
            Call mapM_ in handler line 7
            Value process in handler line 7
            Call when in handler line 8
            Call putStrLn in handler line 8
            Call render in handler line 9
            Call |> in handler line 9
            Value limit in handler line 9
            Call plus in handler line 10
            Member M . view in handler line 11
            Call go in handler line 11
            Call finish in handler line 12
            Call return in handler line 13
            Value Just in handler line 13
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Haskell,
        r#"f a (Just b) (c:cs) (d, e) g@(Box h) = do
  x <- load a
  (m, n) <- pair
  let y = make x
  case y of
    Circle r _ -> r
    (p, q) -> p
  mapM_ (\w -> w) [u | u <- m]
"#,
        expect![[r#"
            a Alias "" in f
            b Alias "" in f
            c Alias "" in f
            cs Alias "" in f
            d Alias "" in f
            e Alias "" in f
            g Alias "" in f
            x Alias "" in f
            m Alias "" in f
            n Alias "" in f
            y Alias "" in f
            r Alias "" in f
            p Alias "" in f
            q Alias "" in f
            w Alias "" in f
            u Alias "" in f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Haskell,
        r#"-- | First line.
--
-- More.
f :: Int -> Int
f x = x

{-| A block
of lines. -}
g = 1

-- Plain.
data A = A -- ^ after
  | B

-- * Heading

-- far away

h = 2
"#,
        expect![[r#"
            f "First line.\n\nMore." []
            g "A block\nof lines." []
            A "Plain." []
            A.A "" []
            A.B "" []
            h "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Haskell,
        r#"module A where
before = a
broken ( = x = = 1
after x = b x
last y = (
end = 1

more :: Int
more = 2

enough = 3
"#,
        expect![[r#"
            Function before 2-2 [EXPORTED] `before`
            Function after 4-4 [EXPORTED] `after x` (x: )
            Function last 5-11 [EXPORTED] `last y = ( end = 1 more :: Int more = 2 enough` (y: )
            Syntax line 2: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Haskell,
        r#"module Shape (area, Shape (..)) where
data Shape = Circle
area :: Shape -> Int
area Circle = 1
hidden :: Int
hidden = 2
"#,
        expect![[r#"
            Struct Shape 2-2 [EXPORTED] `data Shape`
            Variant Shape.Circle 2-2 [EXPORTED] `Circle`
            Function area 3-4 [EXPORTED] `area :: Shape -> Int` (Circle: Shape) -> Int
            Function hidden 5-6 `hidden :: Int` -> Int
        "#]],
    );
}
