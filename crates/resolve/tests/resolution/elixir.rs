use expect_test::expect;
use graph::EdgeKind;

use crate::{check, check_edges};

#[test]
fn same_file() {
    check(
        r#"
//- /a.ex
defmodule App do
  @limit 10
  def helper(x), do: x
  defp hidden, do: 1
  defmacro mac(x), do: x
  def run(x) do
    helper(1)
#   ^ calls: a.ex:3
    hidden()
#   ^ calls: a.ex:4
    x |> helper() |> helper
#        ^ calls: a.ex:3
#                    ^ calls: a.ex:3
    __MODULE__.helper(2)
#              ^ calls: a.ex:3
    App.helper(3)
#       ^ calls: a.ex:3
    Enum.map(x, &helper/1)
#                ^ refers: a.ex:3
    Enum.map(x, fn y -> helper(y) end)
#                       ^ calls: a.ex:3
    if helper(x), do: hidden()
#      ^ calls: a.ex:3
#                     ^ calls: a.ex:4
    mac(x)
#   ^ calls: a.ex:5
    @limit
#    ^ refers: a.ex:2
    length(x)
#   ^ calls: nothing
    "text #{helper(1)}"
#           ^ calls: a.ex:3
  end
end
"#,
    );
}

#[test]
fn variable_hides_function() {
    check(
        r#"
//- /a.ex
defmodule App do
  def helper, do: 1
  def run(helper) do
    helper
#   ^ refers: nothing
  end
  def other do
    helper()
#   ^ calls: a.ex:2
  end
end
"#,
    );
}

#[test]
fn arguments_tell_clauses_apart() {
    check(
        r#"
//- /a.ex
defmodule App do
  def f(1), do: 1
  def f(2), do: 2
  def f(a, b), do: a + b
  def run do
    f(1)
#   ^ calls: a.ex:2
    f(1, 2)
#   ^ calls: a.ex:4
    App.f(1, 2)
#       ^ calls: a.ex:4
  end
end
"#,
    );
}

#[test]
fn alias() {
    check(
        r#"
//- /lib/conn.ex
defmodule App.Conn do
  defstruct status: 1, body: nil
  def put(conn, x), do: x
end
defmodule App.Conn.Query do
  def decode(x), do: x
end
//- /lib/router.ex
defmodule App.Router do
  alias App.Conn
  alias App.Conn.Query, as: Q
  alias App.{Worker, Conn.Query}
  def run(%Conn{} = conn, x) do
    Conn.put(conn, 1)
#        ^ calls: lib/conn.ex:3
    conn |> Conn.put(1)
#                ^ calls: lib/conn.ex:3
    Q.decode(x)
#     ^ calls: lib/conn.ex:6
    Conn.Query.decode(x)
#              ^ calls: lib/conn.ex:6
    Query.decode(x)
#         ^ calls: lib/conn.ex:6
    Worker.start(x)
#          ^ calls: lib/worker.ex:2
    App.Worker.start(x)
#              ^ calls: lib/worker.ex:2
    %Conn{status: 1}
#    ^ calls: lib/conn.ex:1
    conn.status
#        ^ refers: lib/conn.ex:2
    y = %Conn{}
    y.status
#     ^ refers: lib/conn.ex:2
    Enum.put(x)
#        ^ calls: nothing
    Worker.missing(x)
#          ^ calls: nothing
    Worker
#   ^ refers: lib/worker.ex:1
  end
end
//- /lib/worker.ex
defmodule App.Worker do
  def start(x), do: x
end
"#,
    );
}

#[test]
fn import() {
    check(
        r#"
//- /lib/helpers.ex
defmodule App.Helpers do
  def one(x), do: x
  def two(x), do: x
end
//- /lib/a.ex
defmodule App.A do
  import App.Helpers
  def run(x), do: one(x) + two(x)
#                 ^ calls: lib/helpers.ex:2
#                          ^ calls: lib/helpers.ex:3
end
//- /lib/b.ex
defmodule App.B do
  import App.Helpers, only: [one: 1]
  def run(x) do
    one(x)
#   ^ calls: lib/helpers.ex:2
    two(x)
#   ^ calls: nothing
  end
  def late(x) do
    import App.Helpers
    two(x)
#   ^ calls: lib/helpers.ex:3
  end
end
"#,
    );
}

#[test]
fn use_of_a_module() {
    check(
        r#"
//- /lib/web.ex
defmodule App.Web do
  defmacro __using__(_) do
    quote do
      import App.Helpers
    end
  end
  def own(x), do: x
end
//- /lib/helpers.ex
defmodule App.Helpers do
  def one(x), do: x
end
//- /lib/page.ex
defmodule App.Page do
  use App.Web
  def run(x) do
    one(x)
#   ^ calls: lib/helpers.ex:2
    own(x)
#   ^ calls: lib/web.ex:7
  end
end
"#,
    );
}

#[test]
fn nested_modules() {
    check(
        r#"
//- /a.ex
defmodule App do
  defmodule Inner do
    def deep(x), do: outer(x)
#                    ^ calls: a.ex:17
    defmodule Most do
      def far(x), do: x
    end
  end
  def run(x) do
    Inner.deep(x)
#         ^ calls: a.ex:3
    Inner.Most.far(x)
#              ^ calls: a.ex:6
    App.Inner.deep(x)
#             ^ calls: a.ex:3
  end
  def outer(x), do: x
end
"#,
    );
}

#[test]
fn protocols() {
    check(
        r#"
//- /a.ex
defprotocol Size do
  def size(data)
end
defimpl Size, for: BitString do
  def size(s), do: byte_size(s)
end
defmodule App do
  def run(x), do: Size.size(x)
#                      ^ calls: a.ex:2
end
"#,
    );
}

#[test]
fn supertype_edges() {
    let text = r#"
//- /a.ex
defprotocol Size do
  def size(data)
end
defmodule App.Job do
  @callback run(x :: term) :: term
end
defmodule App.Box do
  @behaviour App.Job
  def run(x), do: x
end
defimpl Size, for: App.Box do
  def size(b), do: 1
end
"#;
    check_edges(
        text,
        EdgeKind::Implements,
        &expect![[r#"
        App.Box → App.Job (path)
        App.Box → Size (path)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::Dispatch,
        &expect![[r#"
        Size.size → Box.size (override)
    "#]],
    );
}
