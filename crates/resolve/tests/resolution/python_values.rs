//! Python: narrowing, names that are no keywords, and attributes that a class assigns.

use crate::check;

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
