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
