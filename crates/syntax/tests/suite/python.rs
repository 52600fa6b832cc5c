use expect_test::expect;
use syntax::Language::Python;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Python,
        r#"import asyncio
LIMIT = 10
name: str = "x"
name = "y"
async def fetch(url: str, *args, retries: int = 3, **kwargs: Any) -> Response:
    if retries and url or args:
        return [x for x in args if x]
    try:
        pass
    except ValueError:
        pass
def _private(a, b=1, /, c=2, *, d): pass
def test_it(): pass
square = lambda x: x * x
type Pair = tuple[int, int]
if FAST:
    one = 1
else:
    two = 2
try:
    import three
except ImportError:
    three = None
    missing = True
first, second = pair
"#,
        expect![[r#"
            Constant LIMIT 2-2 [EXPORTED] `LIMIT = 10`
            Variable name 3-3 [EXPORTED] `name: str = "x"` -> str
            Function fetch 5-11 [EXPORTED ASYNC] `async def fetch(url: str, *args, retries: int = 3, **kwargs: Any) -> Response` (url: str) (args: ) (retries: int) (kwargs: Any) -> Response cx 7
            Function _private 12-12 [PRIVATE] `def _private(a, b=1, /, c=2, *, d)` (a: ) (b: ) (c: ) (d: )
            Function test_it 13-13 [EXPORTED TEST] `def test_it()`
            Function square 14-14 [EXPORTED] `square = lambda x` (x: )
            TypeAlias Pair 15-15 [EXPORTED] `type Pair = tuple[int, int]` -> tuple[int, int]
            Variable one 17-17 [EXPORTED] `one = 1`
            Variable two 19-19 [EXPORTED] `two = 2`
            Variable missing 24-24 [EXPORTED] `missing = True`
            Variable first 25-25 [EXPORTED] `first, second = pair`
            Variable second 25-25 [EXPORTED] `first, second = pair`
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Python,
        r#"class Router(Base):
    count: int = 0
    routes = []
    def __init__(self, prefix: str = ""):
        self.prefix = prefix
    @property
    def name(self) -> str: return self.prefix
    @staticmethod
    def make(cls_name): return Router()
    @classmethod
    async def load(cls, path): ...
    def _hidden(self): ...
class TestRouter: 
    def test_a(self): ...
class Point:
    def move(self, x):
        self.x, self.y = x, 0
        self.x = self.y
        def later():
            self.z: int = 3
"#,
        expect![[r#"
            Class Router 1-12 [EXPORTED] `class Router(Base)` Extends Base
            Field Router.count 2-2 [EXPORTED] `count: int = 0` -> int
            Field Router.routes 3-3 [EXPORTED] `routes = []`
            Constructor Router.__init__ 4-5 [EXPORTED] `def __init__(self, prefix: str = "")` (prefix: str)
            Field Router.prefix 5-5 [EXPORTED] `self.prefix = prefix`
            Method Router.name 6-7 [EXPORTED ACCESSOR] `def name(self) -> str` -> str
            Method Router.make 8-9 [EXPORTED STATIC] `def make(cls_name)` (cls_name: )
            Method Router.load 10-11 [EXPORTED STATIC ASYNC] `async def load(cls, path)` (path: )
            Method Router._hidden 12-12 [PROTECTED] `def _hidden(self)`
            Class TestRouter 13-14 [EXPORTED TEST] `class TestRouter`
            Method TestRouter.test_a 14-14 [EXPORTED TEST] `def test_a(self)`
            Class Point 15-20 [EXPORTED] `class Point`
            Method Point.move 16-20 [EXPORTED] `def move(self, x)` (x: )
            Field Point.x 17-17 [EXPORTED] `self.x`
            Field Point.y 17-17 [EXPORTED] `self.y`
            Function Point.move.later 19-20 [EXPORTED] `def later()`
            Field Point.z 20-20 [EXPORTED] `self.z: int = 3` -> int
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Python,
        r#"def outer():
    def inner():
        def innermost(): helper()
        innermost()
    class Local:
        def method(self): helper2()
    x = 1
    return inner
class A:
    class B:
        def c(self): pass
"#,
        expect![[r#"
            Function outer 1-8 [EXPORTED] `def outer()`
            Function outer.inner 2-4 [EXPORTED] `def inner()`
            Function outer.inner.innermost 3-3 [EXPORTED] `def innermost()`
            Class outer.Local 5-6 [EXPORTED] `class Local`
            Method outer.Local.method 6-6 [EXPORTED] `def method(self)`
            Class A 9-11 [EXPORTED] `class A`
            Class A.B 10-11 [EXPORTED] `class B`
            Method A.B.c 11-11 [EXPORTED] `def c(self)`
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Python,
        r#"import os, sys as system
import os.path
import a.b as c
from . import sibling
from ..pkg.mod import (First, Second as Other)
from star import *
from __future__ import annotations
def f():
    from late import thing
"#,
        expect![[r#"
            "os" "" as "os" MODULE in <file>
            "sys" "" as "system" MODULE in <file>
            "os.path" "" as "os" MODULE in <file>
            "a.b" "" as "c" MODULE in <file>
            "." "sibling" as "sibling" in <file>
            "..pkg.mod" "First" as "First" in <file>
            "..pkg.mod" "Second" as "Other" in <file>
            "star" "" as "" GLOB in <file>
            "__future__" "annotations" as "annotations" in <file>
            "late" "thing" as "thing" in f
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Python,
        r#"class A(Base): pass
class B(pkg.Mod, Generic[T], metaclass=Meta): pass
class C(namedtuple("C", "a b")): pass
class D: pass
"#,
        expect![[r#"
            Class A 1-1 [EXPORTED] `class A(Base)` Extends Base
            Class B 2-2 [EXPORTED] `class B(pkg.Mod, Generic[T], metaclass=Meta)` Extends pkg.Mod Extends Generic[T]
            Class C 3-3 [EXPORTED] `class C(namedtuple("C", "a b"))` Extends namedtuple("C","a b")
            Class D 4-4 [EXPORTED] `class D`
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Python,
        r#"@app.get("/", dependencies=[Depends(auth)])
@cached
def handler(req):
    helper(1, key=value)
    self.client.get(url).json()
    Foo(bar=Baz())
    super().handle(req)
    items.sort(key=by_name)
    await fetch(*args)
    return f"{render(req)}"
print(os.path.join("a", LIMIT))
"#,
        expect![[r#"
            Value app in <file> line 1
            Decorator app . get (2) in <file> line 1
            Call Depends (1) in <file> line 1
            Value auth in <file> line 1
            Decorator cached in <file> line 2
            Call helper (2) in handler line 4
            Value value in handler line 4
            Value self in handler line 5
            Member self . client in handler line 5
            MethodCall self.client . get (1) in handler line 5
            Value url in handler line 5
            MethodCall self.client.get(url) . json (0) in handler line 5
            Call Foo (1) in handler line 6
            Call Baz (0) in handler line 6
            Call super (0) in handler line 7
            MethodCall super() . handle (1) in handler line 7
            Value items in handler line 8
            MethodCall items . sort (1) in handler line 8
            Value by_name in handler line 8
            Call fetch (1) in handler line 9
            Value args in handler line 9
            Call render (1) in handler line 10
            Call print (1) in <file> line 11
            Value os in <file> line 11
            Member os . path in <file> line 11
            MethodCall os.path . join (2) in <file> line 11
            Value LIMIT in <file> line 11
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Python,
        r#"def f(a: Foo, b: Optional[Bar] = None, c=1):
    x = Foo()
    y = client.load(1)
    z: Item = make()
    self.session = Session()
    self.other = a
    w = await fetch()
    with open("f") as handle: pass
    for item in items.all(): pass
    m, n = pair()
    v = a or Default()
    [q.name for q in queue]
    try: pass
    except Err as e: pass
"#,
        expect![[r#"
            a Annotated "Foo" in f
            b Annotated "Optional[Bar]" in f
            c Alias "" in f
            x Call "Foo" in f
            y Call "client.load" in f
            z Annotated "Item" in f
            self.session Call "Session" in f
            self.other Alias "a" in f
            w Call "fetch" in f
            handle Call "open" in f
            item Element "items.all()" in f
            m Alias "" in f
            n Alias "" in f
            v Call "Default" in f
            q Element "queue" in f
            e Annotated "Err" in f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Python,
        r#"@decorator
@app.route("/x", methods=["GET"])
def f():
    """First line.

    More,
      indented.
    """
# A comment.
# Of two lines.
class A:
    'Short.'
    # field doc
    x = 1

# far away

def g(): pass
"#,
        expect![[r#"
            f "First line.\n\nMore,\n  indented." ["decorator", "app.route(\"/x\", methods=[\"GET\"])"]
            A "A comment.\nOf two lines." []
            A.x "field doc" []
            g "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Python,
        r#"def before():
    a()
def broken(:
    x = = 1
class After:
    def m(self):
        return (
"#,
        expect![[r#"
            Function before 1-2 [EXPORTED] `def before()`
            Function broken 3-5 [EXPORTED] `def broken(: x = = 1 class After` (x: )
            Syntax line 1: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Python,
        r#"class Shape(abc.ABC):
    _kept = 1
    __hidden = 2
    LIMIT: Final[int] = 3
    @abc.abstractmethod
    def area(self): ...
    @final
    def name(self): ...
    def _inner(self): ...
def _helper(): ...
class Colour(str, enum.Enum):
    RED = "red"
    GREEN = auto()
    _ignore_ = []
    label: str
    def __init__(self, x):
        self.x = x
    @property
    def hex(self): return Colour.RED
"#,
        expect![[r#"
            Class Shape 1-9 [EXPORTED ABSTRACT] `class Shape(abc.ABC)` Extends abc.ABC
            Field Shape._kept 2-2 [PROTECTED] `_kept = 1`
            Field Shape.__hidden 3-3 [PRIVATE] `__hidden = 2`
            Field Shape.LIMIT 4-4 [EXPORTED READONLY] `LIMIT: Final[int] = 3` -> Final[int]
            Method Shape.area 5-6 [EXPORTED DECLARATION ABSTRACT] `def area(self)`
            Method Shape.name 7-8 [EXPORTED FINAL] `def name(self)`
            Method Shape._inner 9-9 [PROTECTED] `def _inner(self)`
            Function _helper 10-10 [PRIVATE] `def _helper()`
            Class Colour 11-19 [EXPORTED] `class Colour(str, enum.Enum)` Extends str Extends enum.Enum
            Variant Colour.RED 12-12 [EXPORTED] `RED = "red"`
            Variant Colour.GREEN 13-13 [EXPORTED] `GREEN = auto()`
            Field Colour._ignore_ 14-14 [PROTECTED] `_ignore_ = []`
            Field Colour.label 15-15 [EXPORTED] `label: str` -> str
            Constructor Colour.__init__ 16-17 [EXPORTED] `def __init__(self, x)` (x: )
            Field Colour.x 17-17 [EXPORTED] `self.x = x`
            Method Colour.hex 18-19 [EXPORTED ACCESSOR] `def hex(self)`
        "#]],
    );
}
