use expect_test::expect;
use graph::EdgeKind;

use crate::{check, check_edges};

#[test]
fn same_file() {
    check(
        r#"
//- /a.zig
const limit = 10;
fn helper(x: u32) u32 { return x; }
fn other() !void {}
pub fn run() !void {
    _ = helper(1);
//      ^ calls: a.zig:2
    try other();
//      ^ calls: a.zig:3
    other() catch {};
//  ^ calls: a.zig:3
    const x = helper(limit);
//            ^ calls: a.zig:2
//                   ^ refers: a.zig:1
    if (helper(x) > 1) other() else other();
//      ^ calls: a.zig:2
//                     ^ calls: a.zig:3
//                                  ^ calls: a.zig:3
    each(helper);
//       ^ refers: a.zig:2
    defer other();
//        ^ calls: a.zig:3
    while (helper(x) > 0) {}
//         ^ calls: a.zig:2
    for (0..helper(x)) |i| { _ = i; }
//          ^ calls: a.zig:2
    missing();
//  ^ calls: nothing
    _ = switch (x) { 1 => helper(2), else => limit };
//                        ^ calls: a.zig:2
//                                           ^ refers: a.zig:1
}
test "it" { try run(); }
//              ^ calls: a.zig:4
"#,
    );
}

#[test]
fn variable_hides_function() {
    check(
        r#"
//- /a.zig
fn helper() void {}
fn run(helper: *const fn () void) void {
    helper();
//  ^ calls: nothing
}
fn other() void {
    helper();
//  ^ calls: a.zig:1
}
"#,
    );
}

#[test]
fn containers() {
    check(
        r#"
//- /a.zig
pub const Router = struct {
    const Self = @This();
    const max = 3;
    client: Client,
    inner: ?*Inner,
    pub fn init(client: Client) Router { return .{ .client = client }; }
    pub fn add(self: *Self, path: []const u8) void {
        self.validate(path);
//           ^ calls: a.zig:21
        self.client.get(path);
//                  ^ calls: a.zig:26
        self.inner.?.work();
//                   ^ calls: a.zig:23
        _ = max;
//          ^ refers: a.zig:3
        free(path);
//      ^ calls: a.zig:22
        Self.free(path);
//           ^ calls: a.zig:22
    }
    fn validate(self: Self, path: []const u8) void {}
    fn free(path: []const u8) void {}
    const Inner = struct { fn work(self: *Inner) void {} };
};
const Client = struct {
    pub fn get(self: Client, path: []const u8) void {}
};
fn run(client: Client, some: *const Router) !void {
//             ^ refers: a.zig:25
    client.get("x");
//         ^ calls: a.zig:26
    some.validate("x");
//       ^ calls: a.zig:21
    var r = Router.init(client);
//                 ^ calls: a.zig:6
    r.add("x");
//    ^ calls: a.zig:7
    Router.init(client).add("y");
//         ^ calls: a.zig:6
//                      ^ calls: a.zig:7
    const s = Router{ .client = client };
//            ^ calls: a.zig:1
    s.validate("x");
//    ^ calls: a.zig:21
    const p = &s;
    p.validate("x");
//    ^ calls: a.zig:21
    r.client.get("x");
//           ^ calls: a.zig:26
}
"#,
    );
}

#[test]
fn import() {
    check(
        r#"
//- /src/main.zig
const std = @import("std");
const util = @import("util.zig");
const Router = @import("net/router.zig").Router;
const clean = @import("util.zig").clean;
const deep = @import("util.zig").inner.deep;
const app = @import("app");
pub fn main() void {
    util.clean(1);
//       ^ calls: src/util.zig:2
    clean(2);
//  ^ calls: src/util.zig:2
    deep();
//  ^ calls: src/util.zig:3
    util.inner.deep();
//             ^ calls: src/util.zig:3
    var r = Router.init();
//                 ^ calls: src/net/router.zig:3
    r.add();
//    ^ calls: src/net/router.zig:5
    std.debug.print("x", .{});
//            ^ calls: nothing
    app.start();
//      ^ calls: src/app.zig:1
    _ = util.limit;
//           ^ refers: src/util.zig:1
    @import("util.zig").clean(3);
//                      ^ calls: src/util.zig:2
}
//- /src/util.zig
pub const limit = 1;
pub fn clean(x: u8) void {}
pub const inner = struct { pub fn deep() void {} };
pub fn print() void {}
//- /src/net/router.zig
const util = @import("../util.zig");
pub const Router = struct {
    pub fn init() Router { util.clean(1); return .{}; }
//                              ^ calls: src/util.zig:2
    pub fn add(self: *Router) void {}
};
//- /src/app.zig
pub fn start() void {}
"#,
    );
}

#[test]
fn files_are_containers() {
    check(
        r#"
//- /src/Queue.zig
const Queue = @This();
items: []u8,
pub fn push(self: *Queue, x: u8) void { self.grow(); }
//                                           ^ calls: src/Queue.zig:5
fn grow(self: *Queue) void {}
//- /src/main.zig
const Queue = @import("Queue.zig");
fn run(q: *Queue) void {
    q.push(1);
//    ^ calls: src/Queue.zig:3
}
"#,
    );
}

#[test]
fn functions_that_make_types() {
    check(
        r#"
//- /a.zig
pub fn Stack(comptime T: type) type {
    return struct {
        const Self = @This();
        pub fn init() Self { return .{}; }
        pub fn push(self: *Self, x: T) void { self.grow(); }
//                                                 ^ calls: a.zig:7
        fn grow(self: *Self) void {}
    };
}
fn run() void {
    var s = Stack(u8).init();
//          ^ calls: a.zig:1
//                    ^ calls: a.zig:4
    s.push(1);
//    ^ calls: a.zig:5
    var t: Stack(u8) = undefined;
    t.push(2);
//    ^ calls: a.zig:5
}
"#,
    );
}

#[test]
fn enums_and_names_passed_on() {
    check(
        r#"
//- /a.zig
const lib = @import("lib.zig");
pub const Mode = enum { fast, slow, pub fn name(self: Mode) u8 { return 1; } };
fn run(m: Mode) void {
    _ = m.name();
//        ^ calls: a.zig:2
    _ = Mode.fast;
//           ^ refers: a.zig:2
    lib.Again.go();
//            ^ calls: again.zig:1
}
//- /lib.zig
pub const Again = @import("again.zig").Thing;
//- /again.zig
pub const Thing = struct { pub fn go() void {} };
"#,
    );
}

#[test]
fn supertype_edges() {
    let text = r#"
//- /a.zig
const Mixin = struct { pub fn shared() void {} };
const A = struct {
    usingnamespace Mixin;
    fn own(self: A) void {}
};
"#;
    check_edges(
        text,
        EdgeKind::Extends,
        &expect![[r#"
        A → Mixin (same-file)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::HasMethod,
        &expect![[r#"
        A → A.own (structure)
        Mixin → Mixin.shared (structure)
    "#]],
    );
}
