//! Conventions of Ruby: results of methods, setters, `ClassMethods`, values that are named like their class.

use crate::check;

#[test]
fn results_of_methods() {
    check(
        r#"
//- /lib/a.rb
class Config
  def load; end
  def again
    self
  end
end
class App
  def config
    @config ||= Config.new
  end
  def other(flag)
    flag ? Config.new : nil
  end
  def self.build = new
  def run; end
  def go
    config.load
    #      ^ calls: lib/a.rb:2
    other(1).again.load
    #        ^ calls: lib/a.rb:3
    #              ^ calls: lib/a.rb:2
    App.build.run
    #         ^ calls: lib/a.rb:15
  end
end
class Elsewhere
  def load; end
  def again; end
  def run; end
end
"#,
    );
}

#[test]
fn setters() {
    check(
        r#"
//- /lib/a.rb
module Store
  def self.limit
    @limit
  end
  def self.limit=(value)
    @limit = value
  end
  def self.raise_limit
    self.limit = 3
    #    ^ refers: lib/a.rb:5
    Store.limit = 4
    #     ^ refers: lib/a.rb:5
    Store.limit
    #     ^ calls: lib/a.rb:2
  end
end
"#,
    );
}

#[test]
fn class_methods_of_a_module() {
    check(
        r#"
//- /lib/base.rb
module Base
  def self.included(other)
    other.extend(ClassMethods)
  end
  def run
    self.class.option
    #          ^ calls: lib/base.rb:10
  end
  module ClassMethods
    def option; end
  end
end
//- /lib/task.rb
class Task
  include Base
  option
# ^ calls: lib/base.rb:10
  def go
    self.class.option
    #          ^ calls: lib/base.rb:10
  end
end
class Other
  def option; end
end
"#,
    );
}

#[test]
fn a_value_is_named_like_its_class() {
    check(
        r#"
//- /lib/a.rb
class HttpRequest
  attr_reader :options
  def path; end
end
class Elsewhere
  def path; end
end
def show(http_request, path)
  http_request.path
  #            ^ calls: lib/a.rb:3
  http_request.missing
  #            ^ calls: nothing
  path.path
  #    ^ calls: nothing
end
"#,
    );
}

#[test]
fn a_class_wraps_a_value_of_its_name() {
    check(
        r#"
//- /lib/a.rb
class Response
  attr_reader :response
  def code
    response.code
    #        ^ calls: nothing
  end
end
class Elsewhere
  def code; end
end
"#,
    );
}

#[test]
fn a_bare_name_in_a_method_is_no_method_of_the_class() {
    check(
        r#"
//- /lib/a.rb
class Simple
  class << self
    def tag(name)
      new(name)
    end
  end
  attr_reader :tag
  def text
    tag.text
    #   ^ calls: nothing
  end
end
class Elsewhere
  def text; end
end
"#,
    );
}
