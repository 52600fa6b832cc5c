//! Python: narrowing, names that are no keywords, and attributes that a class assigns.

use crate::check;

#[test]
fn narrowing() {
    check(
        r#"
//- /a.py
class Base:
    def work(self): pass
class Left(Base):
    def work(self): pass
    def own(self): pass
class Right(Base):
    def own(self): pass
    def work(self): pass
def run(value: Base, other, third: Base | None):
    if isinstance(value, Left):
        value.own()
        #     ^ calls: a.py:5
        value.work()
        #     ^ calls: a.py:4
    value.work()
    #     ^ calls: a.py:2
    if isinstance(other, Right):
        other.own()
        #     ^ calls: a.py:7
        other.work()
        #     ^ calls: a.py:8
    if not isinstance(third, Left):
        return
    third.own()
    #     ^ calls: a.py:5
def either(value):
    if isinstance(value, (Left, Other)) and value.own():
        #                                         ^ calls: a.py:5
        pass
    return value.own() if isinstance(value, Right) else value.work()
    #            ^ calls: a.py:7
class Other: pass
def later(value):
    assert isinstance(value, Right)
    value.work()
    #     ^ calls: a.py:8
"#,
    );
}

#[test]
fn a_variable_called_cls() {
    check(
        r#"
//- /a.py
class Other:
    def make(self): pass
class Store:
    def make(self): pass
    @classmethod
    def create(cls):
        cls.make()
        #   ^ calls: a.py:4
    def run(self, cls: Other):
        cls.make()
        #   ^ calls: a.py:2
    def loop(self, others: list[Other]):
        for cls in others:
            cls.make()
            #   ^ calls: a.py:2
    def assigned(self):
        cls = Other()
        cls.make()
        #   ^ calls: a.py:2
"#,
    );
}

#[test]
fn attributes_that_a_class_assigns() {
    check(
        r#"
//- /a.py
class Part:
    def work(self): pass
class Other:
    def work(self): pass
class Store:
    part = Part()
    kind = Part
    def __init__(self, given: Other):
        self.given = given
        self.late = None
        setattr(self, "third", 1)
    def fill(self):
        self.late = Part()
    def run(self):
        self.part.work()
        #         ^ calls: a.py:2
        self.kind().work()
        #           ^ calls: a.py:2
        self.given.work()
        #          ^ calls: a.py:4
        self.late.work()
        #         ^ calls: a.py:2
Store.extra = Part()
def use(store: Store):
    store.extra.work()
    #           ^ calls: a.py:2
    store.late.work()
    #          ^ calls: a.py:2
"#,
    );
}
