//! Classes and modules of Ruby: opened in several files, mixed in, inherited.

use expect_test::expect;
use graph::EdgeKind;

use crate::{check, check_edges};

#[test]
fn opened_again() {
    check(
        r#"
//- /a.rb
class Box
  def one
    two
#   ^ calls: b.rb:2
  end
end
//- /b.rb
class Box
  def two
    one
#   ^ calls: a.rb:2
    @item = Item.new
  end
end
//- /c.rb
class Item
  def use
  end
end
def run
  box = Box.new
  box.one
#     ^ calls: a.rb:2
  box.two
#     ^ calls: b.rb:2
end
class Box
  def three
    @item.use
#         ^ calls: c.rb:2
  end
end
"#,
    );
}

#[test]
fn inheritance() {
    check(
        r#"
//- /a.rb
module Loud
  def shout
    word
#   ^ calls: a.rb:29
  end
end
module Maker
  def build_all
  end
end
class Base
  KEY = 1
  def greet(x)
  end
  def self.make
  end
end
class Child < Base
  include Loud
  extend Maker
  def greet(x)
    super
#   ^ calls: a.rb:13
    shout
#   ^ calls: a.rb:2
    KEY
#   ^ refers: a.rb:12
  end
  def word
  end
end
child = Child.new
child.shout
#     ^ calls: a.rb:2
Child.make
#     ^ calls: a.rb:15
Child.build_all
#     ^ calls: a.rb:8
"#,
    );
}

#[test]
fn supertype_edges() {
    let text = r#"
//- /a.rb
module Loud
  def shout
  end
end
class Base
  def greet(x)
  end
end
class Child < Base
  include Loud
  extend App::Maker
  def greet(x)
  end
end
//- /b.rb
module App
  module Maker
  end
end
class Child
  def more
  end
end
"#;
    check_edges(
        text,
        EdgeKind::Extends,
        &expect![[r#"
        Child → Base (path)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::Implements,
        &expect![[r#"
        Child → App.Maker (path)
        Child → Loud (path)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::Dispatch,
        &expect![[r#"
        Base.greet → Child.greet (override)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::HasMethod,
        &expect![[r#"
        Base → Base.greet (structure)
        Child → Child.greet (structure)
        Child → Child.more (structure)
        Loud → Loud.shout (structure)
    "#]],
    );
}
