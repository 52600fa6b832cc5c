use expect_test::expect;
use syntax::Language::CSharp;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        CSharp,
        r#"static class Program {
  public static async Task Main(string[] args) { if (args.Length > 1 && Ok()) { Run(); } else { switch (x) { case 1: break; default: break; } } foreach (var a in b ?? c) { } }
  static T Max<T>(IList<T> xs, int n = 1, params T[] rest) where T : IComparable<T>, new() => xs is null ? xs[0] : x switch { 1 => a, _ => b };
  internal const int Limit = 10;
  static readonly Func<int, int> Twice = x => x * 2;
  public static int Shout(this string text) => text.Length;
  [Fact] void Works() {}
}
"#,
        expect![[r#"
            Class Program 1-8 `static class Program`
            Method Program.Main 2-2 [EXPORTED STATIC ASYNC] `public static async Task Main(string[] args)` (args: string[]) -> Task cx 7
            Method Program.Max 3-3 [STATIC] `static T Max<T>(IList<T> xs, int n = 1, params T[] rest) where T : IComparable<T>, new()` (xs: IList<T>) (n: int) (rest: T[]) <T: IComparable<T>, new()> -> T cx 4
            Constant Program.Limit 4-4 [STATIC CONST INTERNAL] `internal const int Limit = 10` -> int
            Method Program.Twice 5-5 [STATIC READONLY] `static readonly Func<int, int> Twice = x` (x: )
            Method Program.Shout 6-6 [EXPORTED STATIC] `public static int Shout(this string text)` (text: string) -> int owner string
            Method Program.Works 7-7 [TEST] `void Works()` -> void
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        CSharp,
        r#"public abstract partial class Router<T> where T : Route {
  private readonly Service svc, other;
  protected int count = 0;
  public string Name { get; set; } = "";
  public int Size => items.Count;
  public bool Ready { get { return Check(); } private set { Store(value); } }
  public event Action<int> Changed;
  public delegate void Handler(int a);
  public Router(Service svc, int n) : base(n) { this.svc = svc; }
  ~Router() { }
  public override string ToString() { return ""; }
  protected abstract void Run(int a);
  public int this[int i] { get { return Get(i); } }
  public static Router<T> operator +(Router<T> a, Router<T> b) => a;
  public static implicit operator int(Router<T> r) => 1;
  void IHandler.Handle(Request r) { }
}
interface IHandler { int Limit { get; } void Handle(Request r); void Log() { } }
enum Color { Red, Green = 2 }
public record Point(int X, Foo Y) { public int Sum() => X; }
struct Pair(int a) { public int First; }
"#,
        expect![[r#"
            Class Router 1-17 [EXPORTED ABSTRACT PARTIAL] `public abstract partial class Router<T> where T : Route` <T: Route>
            Field Router.svc 2-2 [READONLY PRIVATE] `private readonly Service svc, other` -> Service
            Field Router.other 2-2 [READONLY PRIVATE] `private readonly Service svc, other` -> Service
            Field Router.count 3-3 [EXPORTED PROTECTED] `protected int count = 0` -> int
            Field Router.Name 4-4 [EXPORTED] `public string Name` -> string
            Method Router.Size 5-5 [EXPORTED ACCESSOR] `public int Size` -> int
            Method Router.Ready 6-6 [EXPORTED ACCESSOR] `public bool Ready` -> bool
            Field Router.Changed 7-7 [EXPORTED] `public event Action<int> Changed` -> Action<int>
            TypeAlias Router.Handler 8-8 [EXPORTED] `public delegate void Handler(int a)` (a: int) -> void
            Constructor Router.Router 9-9 [EXPORTED] `public Router(Service svc, int n) : base(n)` (svc: Service) (n: int)
            Method Router.~Router 10-10 `~Router()`
            Method Router.ToString 11-11 [EXPORTED OVERRIDE] `public override string ToString()` -> string
            Method Router.Run 12-12 [EXPORTED DECLARATION ABSTRACT PROTECTED] `protected abstract void Run(int a)` (a: int) -> void
            Method Router.this[] 13-13 [EXPORTED] `public int this[int i]` (i: int) -> int
            Method Router.operator+ 14-14 [EXPORTED STATIC] `public static Router<T> operator +(Router<T> a, Router<T> b)` (a: Router<T>) (b: Router<T>) -> Router<T>
            Method Router.operator int 15-15 [EXPORTED STATIC] `public static implicit operator int(Router<T> r)` (r: Router<T>) -> int
            Method Router.Handle 16-16 `void IHandler.Handle(Request r)` (r: Request) -> void
            Interface IHandler 18-18 `interface IHandler`
            Field IHandler.Limit 18-18 [EXPORTED] `int Limit` -> int
            Method IHandler.Handle 18-18 [EXPORTED DECLARATION] `void Handle(Request r)` (r: Request) -> void
            Method IHandler.Log 18-18 [EXPORTED] `void Log()` -> void
            Enum Color 19-19 `enum Color`
            Variant Color.Red 19-19 `Red`
            Variant Color.Green 19-19 `Green = 2`
            Struct Point 20-20 [EXPORTED] `public record Point(int X, Foo Y)` (X: int) (Y: Foo)
            Field Point.X 20-20 [EXPORTED] `int X` -> int
            Field Point.Y 20-20 [EXPORTED] `Foo Y` -> Foo
            Method Point.Sum 20-20 [EXPORTED] `public int Sum()` -> int
            Struct Pair 21-21 `struct Pair(int a)` (a: int)
            Field Pair.First 21-21 [EXPORTED] `public int First` -> int
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        CSharp,
        r#"namespace Acme.App {
class Outer {
  class Inner { void A() { Helper(); } }
  static class Nested { }
  void M() {
    int Local(int q) { return Deep(q); }
    Func<int, int> twice = x => x * 2;
    Action run = delegate { Go(); };
    list.ForEach(x => x.Call());
    app.MapGet("/", async (ctx) => { await Serve(ctx); });
    int local = 1;
  }
}
}
"#,
        expect![[r#"
            Module Acme.App 1-14 `namespace Acme.App`
            Class Acme.App.Outer 2-13 `class Outer`
            Class Acme.App.Outer.Inner 3-3 `class Inner`
            Method Acme.App.Outer.Inner.A 3-3 `void A()` -> void
            Class Acme.App.Outer.Nested 4-4 [STATIC] `static class Nested`
            Method Acme.App.Outer.M 5-12 `void M()` -> void
            Function Acme.App.Outer.M.Local 6-6 `int Local(int q)` (q: int) -> int
            Function Acme.App.Outer.M.twice 7-7 `Func<int, int> twice = x` (x: )
            Function Acme.App.Outer.M.run 8-8 `Action run = delegate`
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        CSharp,
        r#"global using System.Linq;
using System;
using Acme.Data;
using static System.Math;
using static Helpers;
using Map = System.Collections.Generic.Dictionary<string, int>;
using P = Point;
namespace Acme.App;
class A { }
"#,
        expect![[r#"
            package Acme.App
            "System.Linq" "" as "" GLOB REEXPORT in <file>
            "System" "" as "" GLOB in <file>
            "Acme.Data" "" as "" GLOB in <file>
            "System" "Math" as "" GLOB in <file>
            "" "Helpers" as "" GLOB in <file>
            "System.Collections.Generic" "Dictionary" as "Map" in <file>
            "" "Point" as "P" in <file>
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        CSharp,
        r#"class A : Base<T>, IThing, Pkg.IOther<U>, Pkg.Plain { }
interface K : IL, M { }
struct S : IThing { }
record R(int A) : Parent(A), IThing;
class Item : Image { }
"#,
        expect![[r#"
            Class A 1-1 `class A : Base<T>, IThing, Pkg.IOther<U>, Pkg.Plain` Extends Base<T> Implements IThing Implements Pkg.IOther<U> Extends Pkg.Plain
            Interface K 2-2 `interface K : IL, M` Extends IL Extends M
            Struct S 3-3 `struct S : IThing` Implements IThing
            Struct R 4-4 `record R(int A) : Parent(A), IThing` (A: int) Extends Parent Implements IThing
            Field R.A 4-4 `int A` -> int
            Class Item 5-5 `class Item : Image` Extends Image
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        CSharp,
        r#"class A : B {
  A(int n) : base(n) { }
  void Main() {
    Helper(1, 2);
    this.svc.Load(x).Next();
    new Foo<int>(a).Bar();
    new Outer.Inner { Size = 1 };
    Item z = new(1);
    base.Run();
    Type.StaticCall(Limit);
    list.Map(Foo.Convert);
    a?.Close(1);
    Generic<int>(b);
    Console.Out.Write<string>(nameof(c));
    Service s = (Cast)field.Inner;
    if (s is Sub t) { }
    await client.Get();
    using (var f = Open()) { }
    throw new Failure("x");
  }
  [Obsolete, Named("x")] void Annotated(Arg a) { }
}
"#,
        expect![[r#"
            Type B in A line 1
            Call base (1) in A.A line 2
            Call Helper (2) in A.Main line 4
            Member this . svc in A.Main line 5
            MethodCall this.svc . Load (1) in A.Main line 5
            Value x in A.Main line 5
            MethodCall this.svc.Load(x) . Next (0) in A.Main line 5
            New Foo (1) in A.Main line 6
            Value a in A.Main line 6
            MethodCall new Foo<int>(a) . Bar (0) in A.Main line 6
            Value Outer in A.Main line 7
            New Outer . Inner in A.Main line 7
            Member Size in A.Main line 7
            New Item (1) in A.Main line 8
            MethodCall base . Run (0) in A.Main line 9
            Value Type in A.Main line 10
            MethodCall Type . StaticCall (1) in A.Main line 10
            Value Limit in A.Main line 10
            Value list in A.Main line 11
            MethodCall list . Map (1) in A.Main line 11
            Value Foo in A.Main line 11
            Member Foo . Convert in A.Main line 11
            Value a in A.Main line 12
            MethodCall a . Close (1) in A.Main line 12
            Call Generic (1) in A.Main line 13
            Value b in A.Main line 13
            Value Console in A.Main line 14
            Member Console . Out in A.Main line 14
            MethodCall Console.Out . Write (1) in A.Main line 14
            Call nameof (1) in A.Main line 14
            Value c in A.Main line 14
            Type Service in A.Main line 15
            Type Cast in A.Main line 15
            Value field in A.Main line 15
            Member field . Inner in A.Main line 15
            Type Sub in A.Main line 16
            Value client in A.Main line 17
            MethodCall client . Get (0) in A.Main line 17
            Call Open (0) in A.Main line 18
            New Failure (1) in A.Main line 19
            Decorator Obsolete in A line 21
            Decorator Named in A line 21
            Type Arg in A.Annotated line 21
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        CSharp,
        r#"class A {
  Service svc;
  public Store Store { get; }
  void F(Foo a, in Bar<T> b, params int[] c) {
    Item x = Make();
    var y = new Thing();
    var z = client.Load(1);
    var w = await client.Get(1);
    var v = x.Field;
    var u = (Cast)x;
    this.svc = new Service();
    Store = new Store();
    foreach (Element e in list) { }
    foreach (var g in list.All()) { }
    try { } catch (IOException ex) { }
    if (a is Sub s) { }
    Try(out var got, out Got typed);
    H(q => q.Id());
    J((p, r) => p);
  }
}
"#,
        expect![[r#"
            svc Annotated "Service" in A
            a Annotated "Foo" in A.F
            b Annotated "Bar<T>" in A.F
            c Annotated "int[]" in A.F
            x Annotated "Item" in A.F
            y Constructed "Thing" in A.F
            z Call "client.Load" in A.F
            w Call "client.Get" in A.F
            v Alias "x.Field" in A.F
            u Annotated "Cast" in A.F
            this.svc Constructed "Service" in A.F
            e Annotated "Element" in A.F
            g Element "list.All()" in A.F
            ex Annotated "IOException" in A.F
            s Annotated "Sub" in A.F
            got Alias "" in A.F
            typed Annotated "Got" in A.F
            q Alias "" in A.F
            p Alias "" in A.F
            r Alias "" in A.F
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        CSharp,
        r#"/// <summary>
/// Adds.
/// </summary>
[Service("x")]
public class A {
  /** The field. */
  [Inject, Key] int x; // trailing
  int y;

  // far away

  void G() { }
}
"#,
        expect![[r#"
            A "Adds." ["Service(\"x\")"]
            A.x "The field." ["Inject", "Key"]
            A.y "" []
            A.G "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        CSharp,
        r#"class A {
  void Before() { A(); }
  void Broken( { int x = ; }
  void After() { if }
}
"#,
        expect![[r#"
            Class A 1-3 `class A`
            Method A.Before 2-2 `void Before()` -> void
            Field A.Broken 3-3 `void Broken( { int x` -> void
            Function After 4-5 `void After()` -> void
            Syntax line 3: text does not fit the grammar
            Syntax line 4: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        CSharp,
        r#"public abstract partial class Shape {
  private readonly int sides = 3;
  protected internal static int count;
  internal const int Limit = 3;
  protected abstract double Area();
  public virtual unsafe void Draw() {}
  public extern static void Outside();
  public sealed override string ToString() => "";
  private async Task Load() {}
}
sealed class Circle : Shape {}
"#,
        expect![[r#"
            Class Shape 1-10 [EXPORTED ABSTRACT PARTIAL] `public abstract partial class Shape`
            Field Shape.sides 2-2 [READONLY PRIVATE] `private readonly int sides = 3` -> int
            Field Shape.count 3-3 [EXPORTED STATIC PROTECTED INTERNAL] `protected internal static int count` -> int
            Constant Shape.Limit 4-4 [STATIC CONST INTERNAL] `internal const int Limit = 3` -> int
            Method Shape.Area 5-5 [EXPORTED DECLARATION ABSTRACT PROTECTED] `protected abstract double Area()` -> double
            Method Shape.Draw 6-6 [EXPORTED UNSAFE VIRTUAL] `public virtual unsafe void Draw()` -> void
            Method Shape.Outside 7-7 [EXPORTED STATIC DECLARATION EXTERN] `public extern static void Outside()` -> void
            Method Shape.ToString 8-8 [EXPORTED OVERRIDE FINAL] `public sealed override string ToString()` -> string
            Method Shape.Load 9-9 [ASYNC PRIVATE] `private async Task Load()` -> Task
            Class Circle 11-11 [FINAL] `sealed class Circle : Shape` Extends Shape
        "#]],
    );
}
