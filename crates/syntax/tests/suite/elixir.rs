use expect_test::expect;
use syntax::Language::Elixir;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Elixir,
        r#"defmodule App.Fetch do
  @limit 10
  @type t :: %__MODULE__{name: String.t()}
  @typep key :: atom
  defstruct [:name, age: 1]
  @spec fetch(String.t(), keyword) :: {:ok, t}
  def fetch(url, opts \\ [], %Conn{} = conn) when is_list(opts) do
    case url do
      nil -> :a
      _ when url && opts -> :b
    end
    if url, do: 1, else: 2
  end
  def valid?(1), do: true
  def valid?(2), do: false
  def valid?(a, b), do: a
  defp private, do: 1
  defmacro get(path, do: block) do
    block
  end
  defguard is_x(a) when a == 1
  defdelegate size(x), to: Map
  def bodyless(x)
end
"#,
        expect![[r#"
            Module App.Fetch 1-24 [EXPORTED] `defmodule App.Fetch`
            Constant App.Fetch.limit 2-2 [PRIVATE] `@limit 10`
            TypeAlias App.Fetch.t 3-3 [EXPORTED] `@type t :: %__MODULE__{name: String.t()}` -> %__MODULE__{name: String.t()}
            TypeAlias App.Fetch.key 4-4 [PRIVATE] `@typep key :: atom` -> atom
            Field App.Fetch.name 5-5 [EXPORTED] `defstruct [:name, age: 1]`
            Field App.Fetch.age 5-5 [EXPORTED] `defstruct [:name, age: 1]`
            Function App.Fetch.fetch 6-13 [EXPORTED] `def fetch(url, opts \\ [], %Conn{} = conn) when is_list(opts)` (url: ) (opts: ) (conn: Conn) -> {:ok, t} cx 5
            Function App.Fetch.valid? 14-15 [EXPORTED] `def valid?(1)` (1: ) cx 2
            Function App.Fetch.valid? 16-16 [EXPORTED] `def valid?(a, b)` (a: ) (b: )
            Function App.Fetch.private 17-17 [PRIVATE] `defp private`
            Macro App.Fetch.get 18-20 [EXPORTED] `defmacro get(path, do: block)` (path: ) (do: block: )
            Macro App.Fetch.is_x 21-21 [EXPORTED] `defguard is_x(a) when a == 1` (a: )
            Function App.Fetch.size 22-22 [EXPORTED] `defdelegate size(x), to: Map` (x: )
            Function App.Fetch.bodyless 23-23 [EXPORTED DECLARATION] `def bodyless(x)` (x: )
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Elixir,
        r#"defprotocol Size do
  def size(data)
end
defimpl Size, for: BitString do
  def size(s), do: byte_size(s)
end
defmodule Worker do
  @behaviour App.Job
  @callback init(opts :: term) :: {:ok, term}
  @impl true
  def run(x), do: x
  defimpl String.Chars do
    def to_string(w), do: w
  end
end
defmodule WorkerTest do
  use ExUnit.Case
  describe "group" do
    test "works", %{a: b} do
      assert b
    end
  end
end
"#,
        expect![[r#"
            Interface Size 1-3 [EXPORTED] `defprotocol Size`
            Method Size.size 2-2 [EXPORTED DECLARATION] `def size(data)` (data: )
            Impl BitString 4-6 [EXPORTED] `defimpl Size, for: BitString` Implements Size
            Method BitString.size 5-5 [EXPORTED] `def size(s)` (s: )
            Module Worker 7-15 [EXPORTED] `defmodule Worker` Implements App.Job
            Function Worker.init 9-9 [EXPORTED DECLARATION] `@callback init(opts :: term) :: {:ok, term}`
            Function Worker.run 10-11 [EXPORTED OVERRIDE] `def run(x)` (x: )
            Impl Worker.Chars 12-14 [EXPORTED] `defimpl String.Chars` Implements String.Chars
            Method Worker.Chars.to_string 13-13 [EXPORTED] `def to_string(w)` (w: )
            Module WorkerTest 16-23 [EXPORTED TEST] `defmodule WorkerTest`
            Function WorkerTest.group 18-22 [EXPORTED TEST] `describe "group"`
            Function WorkerTest.group.works 19-21 [EXPORTED TEST] `test "works", %{a: b}`
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Elixir,
        r#"defmodule A do
  defmodule B do
    defmodule C.D do
      def deep, do: 1
    end
    defexception [:message]
  end
  def outer do
    inner = fn x -> x end
    inner.(1)
  end
end
"#,
        expect![[r#"
            Module A 1-12 [EXPORTED] `defmodule A`
            Module A.B 2-7 [EXPORTED] `defmodule B`
            Module A.B.C.D 3-5 [EXPORTED] `defmodule C.D`
            Function A.B.C.D.deep 4-4 [EXPORTED] `def deep`
            Field A.B.message 6-6 [EXPORTED] `defexception [:message]`
            Function A.outer 8-11 [EXPORTED] `def outer`
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Elixir,
        r#"defmodule A do
  alias Plug.Conn
  alias Plug.{Adapters, Router.Utils}
  alias Foo.Bar, as: Baz
  import Plug.Conn, only: [put: 2, get: 1]
  import Enum
  require Logger
  require Macros, as: M
  use GenServer, restart: :temporary
  def f do
    alias Late.Thing
  end
end
"#,
        expect![[r#"
            "Plug.Conn" "" as "Conn" MODULE in A
            "Plug.Adapters" "" as "Adapters" MODULE in A
            "Plug.Router.Utils" "" as "Utils" MODULE in A
            "Foo.Bar" "" as "Baz" MODULE in A
            "Plug.Conn" "put" as "put" in A
            "Plug.Conn" "get" as "get" in A
            "Enum" "" as "" GLOB in A
            "Logger" "" as "" SIDE_EFFECT in A
            "Macros" "" as "M" MODULE in A
            "GenServer" "" as "" GLOB in A
            "Late.Thing" "" as "Thing" MODULE in A.f
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Elixir,
        r#"defmodule A do
  @behaviour Base
  @behaviour Pkg.Other
end
defimpl Proto, for: A do
end
defimpl Pkg.Proto, for: Pkg.B do
end
defmodule D do
end
"#,
        expect![[r#"
            Module A 1-4 [EXPORTED] `defmodule A` Implements Base Implements Pkg.Other
            Impl A 5-6 [EXPORTED] `defimpl Proto, for: A` Implements Proto
            Impl B 7-8 [EXPORTED] `defimpl Pkg.Proto, for: Pkg.B` Implements Pkg.Proto
            Module D 9-10 [EXPORTED] `defmodule D`
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Elixir,
        r#"defmodule A do
  def handler(conn, opts) do
    conn
    |> put_status(200)
    |> Conn.assign(:x, helper(1))
    |> halt
    |> __MODULE__.finish()
    %Conn{status: 1}
    Enum.map([1], fn a -> run(a) end)
    Enum.map(opts, &process/1)
    Enum.map(opts, &Baz.process(&1, 2))
    conn.field
    :erlang.now()
    opts[:init]
    "text #{render(conn)}"
    raise ArgumentError, "x"
    @limit
    no_paren
  end
end
"#,
        expect![[r#"
            Call put_status (1) in A.handler line 4
            Value Conn in A.handler line 5
            MethodCall Conn . assign (2) in A.handler line 5
            Call helper (1) in A.handler line 5
            Call halt in A.handler line 6
            MethodCall __MODULE__ . finish (0) in A.handler line 7
            New Conn in A.handler line 8
            Value Enum in A.handler line 9
            MethodCall Enum . map (2) in A.handler line 9
            Call run (1) in A.handler line 9
            Value Enum in A.handler line 10
            MethodCall Enum . map (2) in A.handler line 10
            Value process in A.handler line 10
            Value Enum in A.handler line 11
            MethodCall Enum . map (2) in A.handler line 11
            Value Baz in A.handler line 11
            MethodCall Baz . process (2) in A.handler line 11
            Member conn . field in A.handler line 12
            MethodCall :erlang . now (0) in A.handler line 13
            Call render (1) in A.handler line 15
            Call raise (2) in A.handler line 16
            Value ArgumentError in A.handler line 16
            Value limit in A.handler line 17
            Value no_paren in A.handler line 18
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Elixir,
        r#"defmodule A do
  def f(a, {b, c}, %{d: e}, %Conn{} = g) do
    x = %Item{n: 1}
    y = Baz.new(x)
    z = y
    w = helper(1)
    {:ok, m} = fetch()
    for u <- users(), do: u
    with {:ok, n} <- w, do: n
    fn p, {q, r} -> p end
    case y do
      {:s, t} when t > 1 -> t
      v -> v
    end
  end
end
"#,
        expect![[r#"
            a Alias "" in A.f
            b Alias "" in A.f
            c Alias "" in A.f
            e Alias "" in A.f
            g Constructed "Conn" in A.f
            x Constructed "Item" in A.f
            y Call "Baz.new" in A.f
            z Alias "y" in A.f
            w Call "helper" in A.f
            m Alias "" in A.f
            u Element "users()" in A.f
            n Alias "" in A.f
            p Alias "" in A.f
            q Alias "" in A.f
            r Alias "" in A.f
            t Alias "" in A.f
            v Alias "" in A.f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Elixir,
        r#"defmodule A do
  @moduledoc """
  First line.

  More,
    indented.
  """
  @doc "Short."
  @doc since: "1"
  @spec f(integer) :: integer
  @deprecated "no"
  def f(x), do: x
  @doc ~S"""
  Long one.
  """
  def g, do: 1
  # A comment.
  def h, do: 1

  # far away

  @doc false
  def i, do: 1
end
"#,
        expect![[r#"
            A "First line.\n\nMore,\n  indented." []
            A.f "Short." ["deprecated \"no\""]
            A.g "Long one." []
            A.h "A comment." []
            A.i "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Elixir,
        r#"defmodule A do
  def before, do: a()
  def broken( do
    x = = 1
  end
  def last do
    (
  end
end
"#,
        expect![[r#"
            Function before 2-2 [EXPORTED] `def before`
            Function last 6-6 [EXPORTED DECLARATION] `def last`
            Syntax line 1: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Elixir,
        r#"defmodule Shape do
  @sides 3
  def area(x), do: x
  defp own(x), do: x
  defmacrop hidden(x), do: x
  @impl true
  def init(x), do: x
end
"#,
        expect![[r#"
            Module Shape 1-8 [EXPORTED] `defmodule Shape`
            Constant Shape.sides 2-2 [PRIVATE] `@sides 3`
            Function Shape.area 3-3 [EXPORTED] `def area(x)` (x: )
            Function Shape.own 4-4 [PRIVATE] `defp own(x)` (x: )
            Macro Shape.hidden 5-5 [PRIVATE] `defmacrop hidden(x)` (x: )
            Function Shape.init 6-7 [EXPORTED OVERRIDE] `def init(x)` (x: )
        "#]],
    );
}
