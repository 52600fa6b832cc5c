use expect_test::expect;
use syntax::Language::Ruby;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Ruby,
        r#"LIMIT = 10
$verbose = false
def fetch(url, retries = 3, *rest, key:, opt: 2, **options, &block)
  return nil if url.nil? || retries < 1
  case key
  when 1 then a
  when 2 then b
  end
rescue Error => e
  url ? 1 : 2
end
def valid? = true
def name=(value); end
square = ->(x) { x * x }
TRIPLE = lambda { |x| x }
describe "Fetching" do
  it "works" do
    expect(1)
  end
end
"#,
        expect![[r#"
            Constant LIMIT 1-1 [EXPORTED] `LIMIT = 10`
            Variable verbose 2-2 `$verbose = false`
            Function fetch 3-11 [EXPORTED] `def fetch(url, retries = 3, *rest, key:, opt: 2, **options, &block)` (url: ) (retries: ) (rest: ) (key: ) (opt: ) (options: ) (block: ) cx 7
            Function valid? 12-12 [EXPORTED] `def valid?`
            Function name= 13-13 [EXPORTED] `def name=(value)` (value: )
            Function square 14-14 [EXPORTED] `square = ->(x)` (x: )
            Constant TRIPLE 15-15 [EXPORTED] `TRIPLE = lambda { |x| x }`
            Function Fetching 16-20 [EXPORTED TEST] `describe "Fetching"`
            Function Fetching.works 17-19 [EXPORTED TEST] `it "works"`
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Ruby,
        r#"module Tools
  class Router
    VERSION = "1"
    @@count = 0
    attr_accessor :routes, :prefix
    attr_reader "limit"
    def initialize(prefix)
      @prefix = prefix
    end
    def self.build(*args) = new(*args)
    class << self
      def from(other); new(other); end
    end
    def [](key); end
    alias size count
    alias_method :length, :count
    define_method(:dynamic) { |a| a }
    delegate :each, :map, to: :routes
    private def inline; end
    def open; end
    private
    def hidden; end
    public
    def visible; end
    protected
    attr_writer :state
  end
  def helper; end
end
class RouterTest < Minitest::Test
  def test_it; end
end
"#,
        expect![[r#"
            Module Tools 1-29 [EXPORTED] `module Tools`
            Class Tools.Router 2-27 [EXPORTED] `class Router`
            Constant Tools.Router.VERSION 3-3 [EXPORTED] `VERSION = "1"`
            Variable Tools.Router.@@count 4-4 `@@count = 0`
            Field Tools.Router.routes 5-5 [EXPORTED] `attr_accessor :routes, :prefix`
            Field Tools.Router.prefix 5-5 [EXPORTED] `attr_accessor :routes, :prefix`
            Field Tools.Router.limit 6-6 [EXPORTED] `attr_reader "limit"`
            Constructor Tools.Router.initialize 7-9 [EXPORTED] `def initialize(prefix)` (prefix: )
            Method Tools.Router.build 10-10 [EXPORTED STATIC] `def self.build(*args)` (args: )
            Method Tools.Router.from 12-12 [EXPORTED STATIC] `def from(other)` (other: )
            Method Tools.Router.[] 14-14 [EXPORTED] `def [](key)` (key: )
            Method Tools.Router.size 15-15 [EXPORTED] `alias size count`
            Method Tools.Router.length 16-16 [EXPORTED] `alias_method :length, :count`
            Method Tools.Router.dynamic 17-17 [EXPORTED] `define_method(:dynamic) { |a| a }`
            Method Tools.Router.each 18-18 [EXPORTED] `delegate :each, :map, to: :routes`
            Method Tools.Router.map 18-18 [EXPORTED] `delegate :each, :map, to: :routes`
            Method Tools.Router.inline 19-19 [PRIVATE] `private def inline`
            Method Tools.Router.open 20-20 [EXPORTED] `def open`
            Method Tools.Router.hidden 22-22 [PRIVATE] `def hidden`
            Method Tools.Router.visible 24-24 [EXPORTED] `def visible`
            Field Tools.Router.state 26-26 [PROTECTED] `attr_writer :state`
            Method Tools.helper 28-28 [EXPORTED] `def helper`
            Class RouterTest 30-32 [EXPORTED TEST] `class RouterTest < Minitest::Test` Extends Minitest::Test
            Method RouterTest.test_it 31-31 [EXPORTED TEST] `def test_it`
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Ruby,
        r#"module A
  class B
    class C
      def d
        inner = ->(x) { x }
        define_method(:made) { 1 }
      end
    end
    Point = Struct.new(:x, :y) do
      def dist; end
    end
    Failure = Class.new(StandardError)
    module D; end
  end
end
class A::B::E
  def f; end
end
def A.g; end
"#,
        expect![[r#"
            Module A 1-15 [EXPORTED] `module A`
            Class A.B 2-14 [EXPORTED] `class B`
            Class A.B.C 3-8 [EXPORTED] `class C`
            Method A.B.C.d 4-7 [EXPORTED] `def d`
            Function A.B.C.d.inner 5-5 [EXPORTED] `inner = ->(x)` (x: )
            Function A.B.C.d.made 6-6 [EXPORTED] `define_method(:made) { 1 }`
            Class A.B.Point 9-11 [EXPORTED] `Point = Struct.new(:x, :y) do def dist; end end`
            Field A.B.Point.x 9-9 [EXPORTED] `(:x, :y)`
            Field A.B.Point.y 9-9 [EXPORTED] `(:x, :y)`
            Method A.B.Point.dist 10-10 [EXPORTED] `def dist`
            Class A.B.Failure 12-12 [EXPORTED] `Failure = Class.new(StandardError)` Extends StandardError
            Module A.B.D 13-13 [EXPORTED] `module D`
            Class E 16-18 [EXPORTED] `class A::B::E` owner A::B
            Method E.f 17-17 [EXPORTED] `def f`
            Method g 19-19 [EXPORTED STATIC] `def A.g` owner A
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Ruby,
        r#"require 'json'
require "rack/utils"
require_relative 'lib/a'
require_relative "../b"
load 'tasks.rb'
autoload :Router, "app/router"
module App
  autoload :Cache, 'app/cache'
end
require name
"#,
        expect![[r#"
            "json" "" as "" SIDE_EFFECT in <file>
            "rack/utils" "" as "" SIDE_EFFECT in <file>
            "./lib/a" "" as "" SIDE_EFFECT in <file>
            "../b" "" as "" SIDE_EFFECT in <file>
            "tasks.rb" "" as "" SIDE_EFFECT in <file>
            "app/router" "Router" as "Router" in <file>
            "app/cache" "Cache" as "Cache" in App
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Ruby,
        r#"class A < Base
  include Comparable, Enumerable
  extend Forwardable
  prepend Util::Logging
end
class B < Pkg::Mod; end
class C < Struct.new(:a); end
D = Class.new(A)
module E
  include A::F
end
class G; end
"#,
        expect![[r#"
            Class A 1-5 [EXPORTED] `class A < Base` Extends Base Implements Comparable Implements Enumerable Implements Forwardable Implements Util::Logging
            Class B 6-6 [EXPORTED] `class B < Pkg::Mod` Extends Pkg::Mod
            Class C 7-7 [EXPORTED] `class C < Struct.new(:a)` Extends Struct.new(:a)
            Class D 8-8 [EXPORTED] `D = Class.new(A)` Extends A
            Module E 9-11 [EXPORTED] `module E` Implements A::F
            Class G 12-12 [EXPORTED] `class G`
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Ruby,
        r#"before_action :load, only: [:show]
def handler(req)
  helper 1, key: value
  helper
  @client.get(url).json
  Foo.new(Bar.new)
  App::Router.new.call(req)
  super
  items.each { |item| item.run!(req) }
  self.class.build
  self.state = LIMIT
  req&.path
  "text #{render(req)}"
  App::LIMIT
  local = 1
  local
end
puts File.join("a", LIMIT)
"#,
        expect![[r#"
            Call before_action (2) in <file> line 1
            Call helper (2) in handler line 3
            Call value in handler line 3
            Call helper in handler line 4
            MethodCall @client . get (1) in handler line 5
            Call url in handler line 5
            MethodCall @client.get(url) . json in handler line 5
            New Foo (1) in handler line 6
            New Bar in handler line 6
            Value App in handler line 7
            New App . Router in handler line 7
            MethodCall App::Router.new . call (1) in handler line 7
            Call super in handler line 8
            Call items in handler line 9
            MethodCall items . each in handler line 9
            MethodCall item . run! (1) in handler line 9
            MethodCall self . class in handler line 10
            MethodCall self.class . build in handler line 10
            Member self . state in handler line 11
            Value LIMIT in handler line 11
            MethodCall req . path in handler line 12
            Call render (1) in handler line 13
            Value App in handler line 14
            Member App . LIMIT in handler line 14
            Call puts (1) in <file> line 18
            Value File in <file> line 18
            MethodCall File . join (2) in <file> line 18
            Value LIMIT in <file> line 18
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Ruby,
        r#"def f(a, b = nil, *c, d:)
  x = Foo.new(1)
  y = client.load(1)
  @session ||= Session.new
  @other = a
  z = v || App::Item.new
  k = self
  items.all.each { |item| item }
  m, n = pair
  list.each_with_index do |one, i| end
  for q in queue do end
rescue Err => e
  w = helper
end
"#,
        expect![[r#"
            a Alias "" in f
            b Alias "" in f
            c Alias "" in f
            d Alias "" in f
            x Constructed "Foo" in f
            y Call "client.load" in f
            @session Constructed "Session" in f
            @other Alias "a" in f
            z Constructed "App::Item" in f
            k Alias "self" in f
            item Element "items.all" in f
            m Alias "" in f
            n Alias "" in f
            one Element "list" in f
            i Alias "" in f
            q Element "queue" in f
            e Annotated "Err" in f
            w Alias "helper" in f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Ruby,
        r#"#!/usr/bin/env ruby
# frozen_string_literal: true

# First line.
#
# @param url [String] where
# @return [Response]
def f(url); end

# A class.
# Of two lines.
class A
  # field doc
  attr_reader :x
end

# far away

def g; end
"#,
        expect![[r#"
            f "First line.\n\n@param url [String] where\n@return [Response]" []
            A "A class.\nOf two lines." []
            A.x "field doc" []
            g "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Ruby,
        r#"def before
  a
end
def broken(
  x = = 1
class After
  def m
    return (
  end
end
def last; end
"#,
        expect![[r#"
            Function before 1-3 [EXPORTED] `def before`
            Function m 7-10 [EXPORTED] `def m`
            Function last 11-11 [EXPORTED] `def last`
            Syntax line 1: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Ruby,
        r#"class Shape
  def area; end
  def self.make; end
  private def own; end
  private_class_method def self.hidden; end
  protected
  def count; end
  private
  def inner; end
end
"#,
        expect![[r#"
            Class Shape 1-10 [EXPORTED] `class Shape`
            Method Shape.area 2-2 [EXPORTED] `def area`
            Method Shape.make 3-3 [EXPORTED STATIC] `def self.make`
            Method Shape.own 4-4 [PRIVATE] `private def own`
            Method Shape.hidden 5-5 [STATIC PRIVATE] `private_class_method def self.hidden`
            Method Shape.count 7-7 [PROTECTED] `def count`
            Method Shape.inner 9-9 [PRIVATE] `def inner`
        "#]],
    );
}
