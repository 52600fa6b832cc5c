use crate::check;

#[test]
fn same_file() {
    check(
        r#"
//- /a.rb
def helper(x)
end
def run
  helper(1)
# ^ calls: a.rb:1
  helper 2
# ^ calls: a.rb:1
  puts "x"
# ^ calls: nothing
end
helper(3)
# <- calls: a.rb:1
"#,
    );
}

#[test]
fn variable_hides_function() {
    check(
        r#"
//- /a.rb
def helper
end
def run(helper)
  helper
# ^ refers: nothing
  helper.go
end
def other
  helper
# ^ calls: a.rb:1
end
"#,
    );
}

#[test]
fn self_and_members() {
    check(
        r#"
//- /a.rb
class Router
  attr_accessor :prefix
  def initialize(client)
    @client = Client.new
  end
  def add(path)
    validate(path)
#   ^ calls: a.rb:33
    self.validate(path)
#        ^ calls: a.rb:33
    prefix
#   ^ calls: a.rb:2
    @client.get(path)
#           ^ calls: a.rb:37
    self.class.build
#              ^ calls: a.rb:20
    new
#   ^ calls: a.rb:1
  end
  def self.build
    new(1)
#   ^ calls: a.rb:1
    router = new(2)
#            ^ calls: a.rb:1
    other
#   ^ calls: a.rb:29
  end
  class << self
    def other
    end
  end
  private
  def validate(path)
  end
end
class Client
  def get(path)
  end
end
"#,
    );
}

#[test]
fn require() {
    check(
        r#"
//- /lib/app.rb
require "app/router"
require_relative "app/util"
require "json"
module App
  def self.start(x)
    router = Router.new
#            ^ calls: lib/app/router.rb:2
    router.add("/")
#          ^ calls: lib/app/router.rb:3
    App::Router.new
#        ^ calls: lib/app/router.rb:2
    Util.clean(x)
#        ^ calls: lib/app/util.rb:4
    ::App::Util.clean(x)
#               ^ calls: lib/app/util.rb:4
    JSON.parse(x)
#        ^ calls: nothing
    Util::LIMIT
#         ^ refers: lib/app/util.rb:3
  end
end
//- /lib/app/router.rb
module App
  class Router
    def add(path)
      Util.clean(path)
#          ^ calls: lib/app/util.rb:4
    end
  end
end
//- /lib/app/util.rb
module App
  module Util
    LIMIT = 10
    def self.clean(x)
      LIMIT
#     ^ refers: lib/app/util.rb:3
    end
  end
end
"#,
    );
}

#[test]
fn constants() {
    check(
        r#"
//- /a.rb
module A
  class B
    def self.make
    end
    class C
    end
    def run
      C.new
#     ^ calls: a.rb:5
      B.new
#     ^ calls: a.rb:2
      D.other
#       ^ calls: a.rb:19
      A::B.make
#          ^ calls: a.rb:3
    end
  end
  class D
    def self.other
      B.make
#       ^ calls: a.rb:3
      B::C.new
#        ^ calls: a.rb:5
    end
  end
end
class B
end
class A::E
  def run
    A::B.new
#      ^ calls: a.rb:2
    D.other
#     ^ calls: a.rb:19
  end
end
B.new
# <- calls: a.rb:27
"#,
    );
}

#[test]
fn receiver_types() {
    check(
        r#"
//- /a.rb
class Conn
  # @return [Pool]
  def pool
  end
  def close!
  end
end
class Pool
  # @return [Conn]
  def take
  end
  def [](key)
  end
end
class Holder
  attr_reader :conn
  def initialize
    @conn = Conn.new
    @pool ||= Pool.new
  end
  def run
    conn.close!
#        ^ calls: a.rb:5
    @pool.take.close!
#         ^ calls: a.rb:10
#              ^ calls: a.rb:5
    conn&.pool
#         ^ calls: a.rb:3
    conn.pool.take.pool
#        ^ calls: a.rb:3
#             ^ calls: a.rb:10
#                  ^ calls: a.rb:3
  end
end
# @param conn [Conn]
def use(conn)
  conn.close!
#      ^ calls: a.rb:5
  pool = conn.pool
#             ^ calls: a.rb:3
  pool.take
#      ^ calls: a.rb:10
  again = pool
  again.take
#       ^ calls: a.rb:10
  Holder.new.conn.close!
#                 ^ calls: a.rb:5
end
"#,
    );
}

#[test]
fn unknown_receivers() {
    check(
        r#"
//- /a.rb
class Only
  def very_special
  end
  def each
  end
end
def run(x)
  x.very_special
#   ^ calls: a.rb:2
  x.each { |y| y }
#   ^ calls: nothing
  x.map { |y| y }
#   ^ calls: nothing
end
"#,
    );
}

#[test]
fn nested() {
    check(
        r#"
//- /a.rb
class A
  def run
    inner = ->(x) { x }
    [1].each do |item|
      helper(item)
#     ^ calls: a.rb:9
    end
  end
  def helper(x)
  end
  Point = Struct.new(:x, :y) do
    def dist
      x
#     ^ calls: a.rb:11
    end
  end
  def points
    Point.new(1, 2).dist
#                   ^ calls: a.rb:12
  end
end
"#,
    );
}
