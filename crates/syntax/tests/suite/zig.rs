use expect_test::expect;
use syntax::Language::Zig;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Zig,
        r#"const std = @import("std");
pub const limit: u32 = 10;
var counter: usize = 0;
pub const Allocator = std.mem.Allocator;
pub fn fetch(allocator: Allocator, url: []const u8, comptime T: type) !T {
    if (url.len > 0 and counter == 1 or true) a() else b();
    for (url) |c| { use(c); }
    while (next()) |x| : (counter += 1) { use(x); }
    switch (url[0]) { 'a' => one(), 'b', 'c' => two(), else => {} }
    return parse(url) catch |err| return err;
}
fn private() void {}
export fn exported(a: i32) callconv(.C) i32 { return a; }
extern fn puts(s: [*:0]const u8) c_int;
inline fn fast() void {}
test "works" { try fetch(); }
test fetch {}
"#,
        expect![[r#"
            Constant limit 2-2 [EXPORTED] `pub const limit: u32 = 10` -> u32
            Variable counter 3-3 `var counter: usize = 0` -> usize
            TypeAlias Allocator 4-4 [EXPORTED] `pub const Allocator = std.mem.Allocator` -> std.mem.Allocator
            Function fetch 5-11 [EXPORTED] `pub fn fetch(allocator: Allocator, url: []const u8, comptime T: type) !T` (allocator: Allocator) (url: []const u8) (T: type) -> !T cx 10
            Function private 12-12 `fn private() void` -> void
            Function exported 13-13 [EXPORTED] `export fn exported(a: i32) callconv(.C) i32` (a: i32) -> i32
            Function puts 14-14 [DECLARATION EXTERN] `extern fn puts(s: [*:0]const u8) c_int` (s: [*:0]const u8) -> c_int
            Function fast 15-15 [INLINE] `inline fn fast() void` -> void
            Function works 16-16 [TEST] `test "works"`
            Function test fetch 17-17 [TEST] `test fetch`
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Zig,
        r#"pub const Router = struct {
    const Self = @This();
    pub const max = 3;
    allocator: std.mem.Allocator,
    count: usize = 0,
    pub fn init(allocator: std.mem.Allocator) Router { return .{ .allocator = allocator }; }
    pub fn add(self: *Self, path: []const u8) !void {}
    fn hidden(router: Router) void {}
};
pub const Names = enum(u8) { short, long = 3, pub fn f(self: Names) void {} };
pub const Value = union(enum) { int: u8, none };
pub const Err = error{ Bad, Worse };
const Opaque = opaque {};
"#,
        expect![[r#"
            Struct Router 1-9 [EXPORTED] `pub const Router`
            Constant Router.max 3-3 [EXPORTED] `pub const max = 3`
            Field Router.allocator 4-4 [EXPORTED] `allocator: std.mem.Allocator` -> std.mem.Allocator
            Field Router.count 5-5 [EXPORTED] `count: usize = 0` -> usize
            Method Router.init 6-6 [EXPORTED STATIC] `pub fn init(allocator: std.mem.Allocator) Router` (allocator: std.mem.Allocator) -> Router
            Method Router.add 7-7 [EXPORTED] `pub fn add(self: *Self, path: []const u8) !void` (path: []const u8) -> !void
            Method Router.hidden 8-8 `fn hidden(router: Router) void` -> void
            Enum Names 10-10 [EXPORTED] `pub const Names`
            Variant Names.short 10-10 [EXPORTED] `short`
            Variant Names.long 10-10 [EXPORTED] `long = 3`
            Method Names.f 10-10 [EXPORTED] `pub fn f(self: Names) void` -> void
            Struct Value 11-11 [EXPORTED] `pub const Value`
            Field Value.int 11-11 [EXPORTED] `int: u8` -> u8
            Field Value.none 11-11 [EXPORTED] `none`
            Enum Err 12-12 [EXPORTED] `pub const Err`
            Variant Err.Bad 12-12 [EXPORTED] `Bad`
            Variant Err.Worse 12-12 [EXPORTED] `Worse`
            Struct Opaque 13-13 `const Opaque`
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Zig,
        r#"pub fn Stack(comptime T: type) type {
    return struct {
        items: []T,
        const Self = @This();
        pub fn push(self: *Self, x: T) void {}
        const Node = struct { fn deep(n: *Node) void {} };
    };
}
fn outer() void {
    const local = 1;
    const Local = struct { fn run() void {} };
    Local.run();
}
"#,
        expect![[r#"
            Struct Stack 1-8 [EXPORTED] `pub fn Stack(comptime T: type) type` (T: type) -> type
            Field Stack.items 3-3 [EXPORTED] `items: []T` -> []T
            Method Stack.push 5-5 [EXPORTED] `pub fn push(self: *Self, x: T) void` (x: T) -> void
            Struct Stack.Node 6-6 `const Node`
            Method Stack.Node.deep 6-6 `fn deep(n: *Node) void` -> void
            Function outer 9-13 `fn outer() void` -> void
            Struct outer.Local 11-11 `const Local`
            Method outer.Local.run 11-11 [STATIC] `fn run() void` -> void
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Zig,
        r#"const std = @import("std");
const Foo = @import("foo.zig").Foo;
const deep = @import("foo.zig").a.b;
pub const args = @import("clap/args.zig");
pub usingnamespace @import("other.zig");
fn f() void {
    const late = @import("late.zig");
    @import("inline.zig").run();
}
test { _ = @import("all.zig"); }
"#,
        expect![[r#"
            "std" "" as "std" MODULE in <file>
            "foo.zig" "Foo" as "Foo" in <file>
            "foo.zig" "a.b" as "deep" in <file>
            "clap/args.zig" "" as "args" MODULE in <file>
            "other.zig" "" as "" GLOB in <file>
            "late.zig" "" as "late" MODULE in f
            "inline.zig" "" as "" SIDE_EFFECT in f
            "all.zig" "" as "" SIDE_EFFECT in <file>
        "#]],
    );
}

// not in this language: nothing inherits; a container may take in the names of another instead.
#[test]
fn inheritance() {
    check_symbols(
        Zig,
        r#"const A = struct {
    base: Base,
    usingnamespace Mixin;
};
"#,
        expect![[r#"
            Struct A 1-4 `const A` Extends Mixin
            Field A.base 2-2 [EXPORTED] `base: Base` -> Base
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Zig,
        r#"fn handler(self: *Self, req: Request) !void {
    helper(1, req);
    try self.client.get(req.url).json();
    const f = Foo{ .a = limit };
    const g = pkg.Bar{};
    self.inner.?.run();
    std.debug.print("{s}", .{req});
    Stack(u8).init();
    defer self.deinit();
    each(f, callback);
    _ = switch (req.kind) { .get => one(), else => two() };
    @import("x.zig").go();
}
"#,
        expect![[r#"
            Type Self in handler line 1
            Type Request in handler line 1
            Call helper in handler line 2
            Member self . client in handler line 3
            MethodCall self.client . get in handler line 3
            Member req . url in handler line 3
            MethodCall self.client.get(req.url) . json in handler line 3
            New Foo in handler line 4
            Value limit in handler line 4
            Value pkg in handler line 5
            New pkg . Bar in handler line 5
            Member self . inner in handler line 6
            MethodCall self.inner.? . run in handler line 6
            Value std in handler line 7
            Member std . debug in handler line 7
            MethodCall std.debug . print in handler line 7
            Call Stack in handler line 8
            MethodCall Stack(u8) . init in handler line 8
            MethodCall self . deinit in handler line 9
            Call each in handler line 10
            Value callback in handler line 10
            Member req . kind in handler line 11
            Call one in handler line 11
            Call two in handler line 11
            MethodCall @import("x.zig") . go in handler line 12
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Zig,
        r#"fn f(self: *Self, a: Foo, b: ?*Bar) void {
    const x = Foo{ .a = 1 };
    const y = Client.init(1);
    var z: Item = make();
    const p = try parse(a);
    const q = load(a) catch return;
    const r = find(a) orelse unreachable;
    const s = &x;
    const t = self.inner;
    for (self.items, 0..) |item, i| {}
    while (it.next()) |n| {}
    if (b) |some| {}
    var m = 1;
}
"#,
        expect![[r#"
            self Annotated "*Self" in f
            a Annotated "Foo" in f
            b Annotated "?*Bar" in f
            x Constructed "Foo" in f
            y Call "Client.init" in f
            z Annotated "Item" in f
            p Call "parse" in f
            q Call "load" in f
            r Call "find" in f
            s Alias "x" in f
            t Alias "self.inner" in f
            item Element "self.items" in f
            i Alias "" in f
            n Call "it.next" in f
            some Alias "b" in f
            m Alias "" in f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Zig,
        r#"//! The file.

/// First line.
///
/// More.
pub fn f() void {}

// A container.
const A = struct {
    /// field doc
    x: u8,
};

// far away

fn g() void {}
"#,
        expect![[r#"
            f "First line.\n\nMore." []
            A "A container." []
            A.x "field doc" []
            g "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Zig,
        r#"fn before() void { a(); }
fn broken(: void {
    const x = = 1;
}
const After = struct {
    fn m(self: After) void {
        return (
    }
};
fn last() void {}
"#,
        expect![[r#"
            Function before 1-1 `fn before() void` -> void
            Function last 10-10 [DECLARATION] `fn last() void` -> void
            Syntax line 1: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Zig,
        r#"pub inline fn quick() void {}
extern fn outside() void;
pub const Shape = struct {
    sides: u32,
    comptime limit: u32 = 3,
    pub fn make() Shape {}
    fn own(self: Shape) void {}
};
"#,
        expect![[r#"
            Function quick 1-1 [EXPORTED INLINE] `pub inline fn quick() void` -> void
            Function outside 2-2 [DECLARATION EXTERN] `extern fn outside() void` -> void
            Struct Shape 3-8 [EXPORTED] `pub const Shape`
            Field Shape.sides 4-4 [EXPORTED] `sides: u32` -> u32
            Field Shape.limit 5-5 [EXPORTED CONST] `comptime limit: u32 = 3` -> u32
            Method Shape.make 6-6 [EXPORTED STATIC] `pub fn make() Shape` -> Shape
            Method Shape.own 7-7 `fn own(self: Shape) void` -> void
        "#]],
    );
}
