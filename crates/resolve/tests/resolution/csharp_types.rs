//! Types of C# and their members: supertypes, extension methods, parts of classes, properties, generics.

use crate::check;

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
