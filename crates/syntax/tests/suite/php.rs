use expect_test::expect;
use syntax::Language::Php;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Php,
        r#"<?php
const LIMIT = 10, MAX = 20;
define('OTHER', 2);
function fetch(string $url, int|null $retries = 3, Option ...$options): ?Body {
  if ($retries > 3 && $url) { return null; } elseif ($a or $b) { }
  foreach ($options as $o) { $x = $o ?? 1; }
  return match (true) { $a => 1, default => 2 };
}
/** @param Foo $a @return x
 * @param Bar|null $b second
 * @return Baz */
function &plain($a, &$b) { }
$handler = function (Request $r) use ($app) { serve($r); };
$short = fn(int $n) => $n + 1;
$app->run = function () { };
class FetchTest extends TestCase { public function testFetch(): void { } }
"#,
        expect![[r#"
            Constant LIMIT 2-2 [EXPORTED] `const LIMIT = 10, MAX = 20`
            Constant MAX 2-2 [EXPORTED] `const LIMIT = 10, MAX = 20`
            Constant OTHER 3-3 [EXPORTED] `define('OTHER', 2)`
            Function fetch 4-8 [EXPORTED] `function fetch(string $url, int|null $retries = 3, Option ...$options): ?Body` ($url: string) ($retries: int|null) ($options: Option) -> ?Body cx 8
            Function plain 12-12 [EXPORTED] `function &plain($a, &$b)` ($a: Foo) ($b: Bar|null) -> Baz
            Function $handler 13-13 `$handler = function (Request $r) use ($app)` ($r: Request)
            Function $short 14-14 `$short = fn(int $n)` ($n: int)
            Method run 15-15 [EXPORTED] `$app->run = function ()` owner $app
            Class FetchTest 16-16 [EXPORTED TEST] `class FetchTest extends TestCase` Extends TestCase
            Method FetchTest.testFetch 16-16 [EXPORTED TEST] `public function testFetch(): void` -> void
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Php,
        r#"<?php
namespace Acme\App;
abstract class Router extends Base {
  use Logs, Counts { log as note; }
  const LIMIT = 3;
  private ?Service $svc = null;
  public static int $count = 0, $other;
  public function __construct(private readonly Service $service, protected $x = 1) { parent::__construct($x); }
  protected static function make(int ...$xs): static { return new static(); }
  abstract public function run(array $a): ?Foo;
  final public function go() { }
  private function hidden() { }
  public function __toString(): string { return ''; }
}
interface Handler { const MAX = 1; public function handle(Request $r): Response; }
trait Logs { public function log() { } }
enum Color: string { case Red = 'r'; case Green = 'g'; public function label(): string { return ''; } }
"#,
        expect![[r#"
            Class Router 3-14 [EXPORTED ABSTRACT] `abstract class Router extends Base` Extends Base Extends Logs Extends Counts
            Constant Router.LIMIT 5-5 [EXPORTED] `const LIMIT = 3`
            Field Router.svc 6-6 [PRIVATE] `private ?Service $svc = null` -> ?Service
            Field Router.count 7-7 [EXPORTED STATIC] `public static int $count = 0, $other` -> int
            Field Router.other 7-7 [EXPORTED STATIC] `public static int $count = 0, $other` -> int
            Constructor Router.__construct 8-8 [EXPORTED] `public function __construct(private readonly Service $service, protected $x = 1)` ($service: Service) ($x: )
            Field Router.service 8-8 [READONLY PRIVATE] `private readonly Service $service` -> Service
            Field Router.x 8-8 [EXPORTED PROTECTED] `protected $x = 1`
            Method Router.make 9-9 [EXPORTED STATIC PROTECTED] `protected static function make(int ...$xs): static` ($xs: int) -> static
            Method Router.run 10-10 [EXPORTED DECLARATION ABSTRACT] `abstract public function run(array $a): ?Foo` ($a: array) -> ?Foo
            Method Router.go 11-11 [EXPORTED FINAL] `final public function go()`
            Method Router.hidden 12-12 [PRIVATE] `private function hidden()`
            Method Router.__toString 13-13 [EXPORTED] `public function __toString(): string` -> string
            Interface Handler 15-15 [EXPORTED] `interface Handler`
            Constant Handler.MAX 15-15 [EXPORTED] `const MAX = 1`
            Method Handler.handle 15-15 [EXPORTED DECLARATION] `public function handle(Request $r): Response` ($r: Request) -> Response
            Trait Logs 16-16 [EXPORTED] `trait Logs`
            Method Logs.log 16-16 [EXPORTED] `public function log()`
            Enum Color 17-17 [EXPORTED] `enum Color: string`
            Variant Color.Red 17-17 [EXPORTED] `case Red = 'r'`
            Variant Color.Green 17-17 [EXPORTED] `case Green = 'g'`
            Method Color.label 17-17 [EXPORTED] `public function label(): string` -> string
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Php,
        r#"<?php
namespace Acme {
function outer() {
  function inner($x) { helper($x); }
  $second = function () { helper2(); };
  $local = 1;
  $made = new class(1) extends Base { public function deep() { go(); } };
  array_map(function ($q) { return call($q); }, $list);
  return ['index' => function () { spawned(); }];
}
class C { }
}
"#,
        expect![[r#"
            Module Acme 2-12 [EXPORTED] `namespace Acme`
            Function Acme.outer 3-10 [EXPORTED] `function outer()`
            Function Acme.outer.inner 4-4 [EXPORTED] `function inner($x)` ($x: )
            Function Acme.outer.$second 5-5 `$second = function ()`
            Class Acme.outer.class@anonymous 7-7 [ANONYMOUS] `new class(1) extends Base` Extends Base
            Method Acme.outer.class@anonymous.deep 7-7 [EXPORTED] `public function deep()`
            Function Acme.outer.index 9-9 [EXPORTED] `'index' => function ()`
            Class Acme.C 11-11 [EXPORTED] `class C`
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Php,
        r#"<?php
namespace Acme\App;
use Foo\Bar;
use Foo\{A, B as C, Sub\D};
use function Foo\helper;
use const Foo\LIMIT;
use Other as Alias, \Root\Thing;
require __DIR__ . '/lib/boot.php';
include_once "views/$name.php";
function f() { require 'late.php'; }
"#,
        expect![[r#"
            package Acme\App
            "Foo" "Bar" as "Bar" in <file>
            "Foo" "A" as "A" in <file>
            "Foo" "B" as "C" in <file>
            "Foo\\Sub" "D" as "D" in <file>
            "Foo" "helper" as "helper" in <file>
            "Foo" "LIMIT" as "LIMIT" in <file>
            "" "Other" as "Alias" in <file>
            "Root" "Thing" as "Thing" in <file>
            "./lib/boot.php" "" as "" GLOB SIDE_EFFECT in <file>
            "./late.php" "" as "" GLOB SIDE_EFFECT in f
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Php,
        r#"<?php
class A extends Base implements I, \Pkg\J { use T, \Pkg\U; }
interface K extends L, M { }
enum E: int implements I { }
"#,
        expect![[r#"
            Class A 2-2 [EXPORTED] `class A extends Base implements I, \Pkg\J` Extends Base Implements I Implements \Pkg\J Extends T Extends \Pkg\U
            Interface K 3-3 [EXPORTED] `interface K extends L, M` Extends L Extends M
            Enum E 4-4 [EXPORTED] `enum E: int implements I` Implements I
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Php,
        r#"<?php
class A {
  function main(): Result {
    helper(1, 2);
    $this->svc->load($x)->next();
    (new Foo($a))->bar();
    new \Outer\Inner;
    parent::run();
    self::make(LIMIT);
    Type::staticCall(Type::LIMIT, Type::$shared);
    \Ns\func(1);
    \strlen('x');
    $obj?->close(1);
    $fn(1);
    array_map([$this, 'convert'], $list);
    if ($s instanceof Sub) { throw new Failure("x {$e->text()}"); }
    $y = $a->field;
  }
  #[Route('/x'), \Ns\Named] public function annotated(Arg $a, ?Other $b = null) { }
}
"#,
        expect![[r#"
            Type Result in A.main line 3
            Call helper (2) in A.main line 4
            Member $this . svc in A.main line 5
            MethodCall $this->svc . load (1) in A.main line 5
            MethodCall $this->svc->load($x) . next (0) in A.main line 5
            New Foo (1) in A.main line 6
            MethodCall (new Foo($a)) . bar (0) in A.main line 6
            New Outer . Inner in A.main line 7
            PathCall parent . run (0) in A.main line 8
            PathCall self . make (1) in A.main line 9
            Value LIMIT in A.main line 9
            Type Type in A.main line 10
            PathCall Type . staticCall (2) in A.main line 10
            Type Type in A.main line 10
            Member Type . LIMIT in A.main line 10
            Type Type in A.main line 10
            Member Type . shared in A.main line 10
            PathCall Ns . func (1) in A.main line 11
            Call strlen (1) in A.main line 12
            MethodCall $obj . close (1) in A.main line 13
            Call $fn (1) in A.main line 14
            Call array_map (2) in A.main line 15
            Type Sub in A.main line 16
            New Failure (1) in A.main line 16
            MethodCall $e . text (0) in A.main line 16
            Member $a . field in A.main line 17
            Decorator Route in A line 19
            Decorator Ns . Named in A line 19
            Type Arg in A.annotated line 19
            Type Other in A.annotated line 19
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Php,
        r#"<?php
class A {
  private Service $svc;
  function f(Foo $a, Bar|null $b, Baz ...$c) {
    $x = make();
    $y = new Thing();
    $z = $client->load(1);
    $w = Type::create(1);
    $v = $x->field;
    $u = clone $x;
    $this->svc = new Service();
    $this->other = $a;
    foreach ($list as $e) { }
    foreach ($this->all() as $k => $g) { }
    try { } catch (IOException | Other $ex) { }
    [$m, $n] = pair();
    static $memo = null;
    g(fn($q) => $q->id());
    $t = 1;
  }
}
"#,
        expect![[r#"
            svc Annotated "Service" in A
            $a Annotated "Foo" in A.f
            $b Annotated "Bar|null" in A.f
            $c Annotated "Baz" in A.f
            $x Call "make" in A.f
            $y Constructed "Thing" in A.f
            $z Call "$client->load" in A.f
            $w Call "Type::create" in A.f
            $v Alias "$x->field" in A.f
            $u Alias "$x" in A.f
            $this->svc Constructed "Service" in A.f
            $this->other Alias "$a" in A.f
            $e Element "$list" in A.f
            $k Alias "" in A.f
            $g Element "$this->all()" in A.f
            $ex Annotated "IOException" in A.f
            $m Alias "" in A.f
            $n Alias "" in A.f
            $memo Alias "" in A.f
            $q Alias "" in A.f
            $t Alias "" in A.f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Php,
        r#"<?php
/**
 * Adds.
 * @param int $a first
 */
#[Service("x")]
class A {
  /** The field. */
  #[Inject, Key] public int $x; // trailing
  public $y;

  // far away

  function g() { }
}
"#,
        expect![[r#"
            A "Adds.\n@param int $a first" ["Service(\"x\")"]
            A.x "The field." ["Inject", "Key"]
            A.y "" []
            A.g "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Php,
        r#"<?php
class A {
  function before() { a(); }
  function broken( { $x = ; }
  function after() { if }
}
"#,
        expect![[r#"
            Class A 2-6 [EXPORTED] `class A`
            Method A.before 3-3 [EXPORTED] `function before()`
            Method A.broken 4-5 [EXPORTED] `function broken( { $x = ; } function after()` ($x: )
            Syntax line 4: text does not fit the grammar
            Syntax line 4: text does not fit the grammar
            Syntax line 5: ) is missing
            Syntax line 5: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Php,
        r#"<?php
abstract class Shape {
    private static int $count = 0;
    protected readonly string $name;
    final public const SIDES = 3;
    abstract protected function area(): float;
    final public function draw() {}
    private function own() {}
}
final class Circle extends Shape {
    public function __construct(private readonly int $radius) {}
}
"#,
        expect![[r#"
            Class Shape 2-9 [EXPORTED ABSTRACT] `abstract class Shape`
            Field Shape.count 3-3 [STATIC PRIVATE] `private static int $count = 0` -> int
            Field Shape.name 4-4 [EXPORTED READONLY PROTECTED] `protected readonly string $name` -> string
            Constant Shape.SIDES 5-5 [EXPORTED READONLY] `final public const SIDES = 3`
            Method Shape.area 6-6 [EXPORTED DECLARATION ABSTRACT PROTECTED] `abstract protected function area(): float` -> float
            Method Shape.draw 7-7 [EXPORTED FINAL] `final public function draw()`
            Method Shape.own 8-8 [PRIVATE] `private function own()`
            Class Circle 10-12 [EXPORTED FINAL] `final class Circle extends Shape` Extends Shape
            Constructor Circle.__construct 11-11 [EXPORTED] `public function __construct(private readonly int $radius)` ($radius: int)
            Field Circle.radius 11-11 [READONLY PRIVATE] `private readonly int $radius` -> int
        "#]],
    );
}
