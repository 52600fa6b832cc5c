use crate::check;

#[test]
fn same_file() {
    check(
        r#"
//- /src/A.cs
namespace Acme;
class A {
    void Helper() {}
    static void Make() {}
    void Run() {
        Helper();
//      ^ calls: src/A.cs:3
        this.Helper();
//           ^ calls: src/A.cs:3
        A.Make();
//        ^ calls: src/A.cs:4
        Missing();
//      ^ calls: nothing
    }
}
"#,
    );
}

#[test]
fn local_functions() {
    check(
        r#"
//- /src/A.cs
class A {
    void Run() {
        int Local(int q) => q;
        Local(1);
//      ^ calls: src/A.cs:3
        Func<int, int> twice = x => Local(x);
//                                  ^ calls: src/A.cs:3
        twice(2);
//      ^ calls: src/A.cs:6
    }
    void Other() {
        Local(1);
//      ^ calls: nothing
    }
}
"#,
    );
}

#[test]
fn overloads() {
    check(
        r#"
//- /src/A.cs
class A {
    void Put(string a) {}
    void Put(string a, int b) {}
    void Run(A other) {
        other.Put("x", 1);
//            ^ calls: src/A.cs:3
        Put("x");
//      ^ calls: src/A.cs:2
    }
}
"#,
    );
}

#[test]
fn same_namespace() {
    check(
        r#"
//- /src/A.cs
namespace Acme.Web;
class A {
    void Run(B b) {
        B.Create().Work();
//        ^ calls: src/B.cs:3
//                 ^ calls: src/B.cs:4
        new B().Work();
//          ^ calls: src/B.cs:2
//              ^ calls: src/B.cs:4
        b.Work();
//        ^ calls: src/B.cs:4
    }
}
//- /src/B.cs
namespace Acme.Web {
    class B {
        public static B Create() => new B();
        public void Work() {}
    }
}
"#,
    );
}

#[test]
fn outer_namespace() {
    check(
        r#"
//- /src/A.cs
namespace Acme.Web.Deep;
class A {
    void Run() {
        Root.Start();
//           ^ calls: src/Root.cs:2
        Other.Start();
//            ^ calls: nothing
    }
}
//- /src/Root.cs
namespace Acme;
static class Root { public static void Start() {} }
//- /src/Other.cs
namespace Elsewhere;
static class Other { public static void Start() {} }
"#,
    );
}

#[test]
fn block_namespaces_nested() {
    check(
        r#"
//- /src/A.cs
namespace Acme {
    class Top { public static void Go() {} }
    namespace Inner {
        class A {
            void Run() {
                Top.Go();
//                  ^ calls: src/A.cs:2
                Far.Go();
//                  ^ calls: src/Far.cs:1
            }
        }
    }
}
//- /src/Far.cs
namespace Acme.Inner { class Far { public static void Go() {} } }
"#,
    );
}

#[test]
fn using_namespace() {
    check(
        r#"
//- /src/Main.cs
using System;
using Acme.Util;
namespace App;
class Main {
    private readonly Tool tool = new Tool();
    void Run(List<Tool> tools, string text) {
        Tool.Fix();
//           ^ calls: lib/Tool.cs:3
        tool.Use();
//           ^ calls: lib/Tool.cs:4
        foreach (var one in tools) {
            one.Use();
//              ^ calls: lib/Tool.cs:4
        }
        Console.WriteLine("x");
//              ^ calls: nothing
        text.Trim();
//           ^ calls: nothing
    }
}
//- /lib/Tool.cs
namespace Acme.Util;
public class Tool {
    public static void Fix() {}
    public void Use() {}
    public void WriteLine(string a) {}
    public void Trim() {}
}
"#,
    );
}

#[test]
fn using_static() {
    check(
        r#"
//- /src/Main.cs
using static Acme.Util.Helpers;
namespace App;
class Main {
    void Run() {
        Clean("x");
//      ^ calls: lib/Helpers.cs:2
    }
}
//- /lib/Helpers.cs
namespace Acme.Util;
public static class Helpers { public static void Clean(string a) {} }
"#,
    );
}

#[test]
fn using_alias() {
    check(
        r#"
//- /src/Main.cs
using Box = Acme.Util.Container;
using Util = Acme.Util;
namespace App;
class Main {
    void Run(Box box) {
        box.Open();
//          ^ calls: lib/Container.cs:3
        Box.Make().Open();
//          ^ calls: lib/Container.cs:4
//                 ^ calls: lib/Container.cs:3
        Util.Container.Make();
//                     ^ calls: lib/Container.cs:4
    }
}
//- /lib/Container.cs
namespace Acme.Util;
public class Container {
    public void Open() {}
    public static Container Make() => new Container();
}
"#,
    );
}

#[test]
fn global_using() {
    check(
        r#"
//- /GlobalUsings.cs
global using Acme.Util;
global using static Acme.Util.Math2;
//- /src/Main.cs
namespace App;
class Main {
    void Run() {
        Tool.Fix();
//           ^ calls: lib/Tool.cs:2
        Twice(1);
//      ^ calls: lib/Tool.cs:3
    }
}
//- /lib/Tool.cs
namespace Acme.Util;
public class Tool { public static void Fix() {} }
public static class Math2 { public static int Twice(int a) => a; }
"#,
    );
}

#[test]
fn full_names() {
    check(
        r#"
//- /src/Main.cs
namespace App;
class Main {
    void Run() {
        Acme.Util.Tool.Fix();
//                     ^ calls: lib/Tool.cs:3
        new Acme.Util.Tool();
//                    ^ calls: lib/Tool.cs:2
        Acme.Util.Tool made = null;
        made.Use();
//           ^ calls: lib/Tool.cs:4
    }
}
//- /lib/Tool.cs
namespace Acme.Util;
public class Tool {
    public static void Fix() {}
    public void Use() {}
}
"#,
    );
}

#[test]
fn inheritance() {
    check(
        r#"
//- /src/Base.cs
namespace Acme;
abstract class Base : IShape {
    protected Base(int n) {}
    public void Own() {}
    public abstract int Area();
    public virtual void Step() {}
}
interface IShape { int Area(); }
class Child : Base {
    public Child() : base(1) {}
    void Run(IShape shape) {
        Own();
//      ^ calls: src/Base.cs:4
        base.Own();
//           ^ calls: src/Base.cs:4
        base.Step();
//           ^ calls: src/Base.cs:6
        this.Step();
//           ^ calls: src/Base.cs:23
        shape.Area();
//            ^ calls: src/Base.cs:8
    }
    public override void Step() {}
    public override int Area() => 1;
}
"#,
    );
}

#[test]
fn extension_methods() {
    check(
        r#"
//- /src/Main.cs
using Acme.Util;
namespace App;
class Main {
    void Run(Order order, string text) {
        order.Total(2);
//            ^ calls: lib/Ext.cs:4
        text.Shout();
//           ^ calls: lib/Ext.cs:5
        "x".Shout();
//          ^ calls: lib/Ext.cs:5
        Ext.Total(order, 1);
//          ^ calls: lib/Ext.cs:4
    }
}
class Order {}
//- /lib/Ext.cs
using App;
namespace Acme.Util;
public static class Ext {
    public static int Total(this Order order, int n) => n;
    public static string Shout(this string text) => text;
}
"#,
    );
}

#[test]
fn partial_classes() {
    check(
        r#"
//- /src/A.cs
namespace Acme;
partial class Big {
    void First() {
        Second();
//      ^ calls: src/B.cs:3
        this.Second();
//           ^ calls: src/B.cs:3
    }
}
//- /src/B.cs
namespace Acme;
partial class Big {
    void Second() {}
}
class User {
    void Run(Big big) {
        big.Second();
//          ^ calls: src/B.cs:3
    }
}
"#,
    );
}

#[test]
fn properties_and_fields() {
    check(
        r#"
//- /src/A.cs
namespace Acme;
class Service { public Client Client { get; set; } public Client Made => new Client(); public Client inner; }
class Client { public Client Load(int a) => this; public void Go() {} }
class A {
    Service svc;
    public Service Held { get; }
    void Run() {
        svc.Client.Load(1);
//                 ^ calls: src/A.cs:3
        svc.Made.Go();
//               ^ calls: src/A.cs:3
        this.svc.inner.Go();
//                     ^ calls: src/A.cs:3
        Held.Client.Load(1).Go();
//                  ^ calls: src/A.cs:3
//                          ^ calls: src/A.cs:3
        svc?.Client?.Go();
//                   ^ calls: src/A.cs:3
    }
}
"#,
    );
}

#[test]
fn variables() {
    check(
        r#"
//- /src/A.cs
namespace Acme;
class Item { public void Do() {} public Item Next() => this; }
class Repo { public Item Find(int a) => new Item(); public async Task<Item> FindAsync() => null; }
class A {
    async void Run(Repo repo, object other) {
        var a = new Item();
        a.Do();
//        ^ calls: src/A.cs:2
        Item b = new(1);
        b.Do();
//        ^ calls: src/A.cs:2
        var c = repo.Find(1);
//                   ^ calls: src/A.cs:3
        c.Do();
//        ^ calls: src/A.cs:2
        var d = await repo.FindAsync();
        d.Do();
//        ^ calls: src/A.cs:2
        var e = c;
        e.Next().Do();
//        ^ calls: src/A.cs:2
//               ^ calls: src/A.cs:2
        var f = (Item)other;
        f.Do();
//        ^ calls: src/A.cs:2
        var g = other as Item;
        g.Do();
//        ^ calls: src/A.cs:2
        if (other is Item h) h.Do();
//                             ^ calls: src/A.cs:2
        ((Item)other).Do();
//                    ^ calls: src/A.cs:2
    }
}
"#,
    );
}

#[test]
fn a_variable_hides_a_method() {
    check(
        r#"
//- /src/A.cs
class A {
    void Go() {}
    void Run(Action Go) {
        Go();
//      ^ calls: nothing
    }
}
"#,
    );
}

#[test]
fn interfaces_and_generics() {
    check(
        r#"
//- /src/A.cs
namespace Acme;
interface IRepo<T> { T Get(int id); void Save(T one); }
class User { public void Greet() {} }
class UserRepo : IRepo<User> { public User Get(int id) => null; public void Save(User one) {} }
class A<T> where T : User {
    void Run(IRepo<User> repo, T one) {
        repo.Get(1).Greet();
//           ^ calls: src/A.cs:2
//                  ^ calls: src/A.cs:3
        repo.Save(null);
//           ^ calls: src/A.cs:2
        one.Greet();
//          ^ calls: src/A.cs:3
    }
}
"#,
    );
}

#[test]
fn nested_types() {
    check(
        r#"
//- /src/A.cs
namespace Acme;
class Outer {
    public class Inner { public void Deep() {} }
    static void Shared() {}
    class Reader {
        void Run(Inner inner) {
            inner.Deep();
//                ^ calls: src/A.cs:3
            Shared();
//          ^ calls: src/A.cs:4
        }
    }
}
class Far {
    void Run() {
        new Outer.Inner().Deep();
//                ^ calls: src/A.cs:3
//                        ^ calls: src/A.cs:3
    }
}
"#,
    );
}

#[test]
fn records_and_enums() {
    check(
        r#"
//- /src/A.cs
namespace Acme;
record Point(int X, Other O) { public int Sum() => X; }
class Other { public void Do() {} }
class A {
    void Run(Point p) {
        p.Sum();
//        ^ calls: src/A.cs:2
        p.O.Do();
//          ^ calls: src/A.cs:3
        new Point(1, null);
//          ^ calls: src/A.cs:2
    }
}
"#,
    );
}
