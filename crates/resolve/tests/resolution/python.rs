use expect_test::expect;
use graph::EdgeKind;

use crate::{check, check_edges};

#[test]
fn same_file() {
    check(
        r#"
//- /a.py
def helper(): pass
def run():
    helper()
    # <- calls: a.py:1
"#,
    );
}

#[test]
fn nested_function_before_outer() {
    check(
        r#"
//- /a.py
def helper(): pass
def run():
    def helper(): pass
    helper()
    # <- calls: a.py:3
"#,
    );
}

#[test]
fn variable_hides_function() {
    check(
        r#"
//- /a.py
def helper(): pass
def run(helper):
    helper()
    # <- calls: nothing
"#,
    );
}

#[test]
fn import() {
    check(
        r#"
//- /app/__init__.py
//- /app/models.py
class User:
    def save(self): pass
def helper(): pass
//- /app/views/__init__.py
//- /app/views/home.py
import app.models
import app.models as m
from ..models import User, helper as renamed
from .. import models
def run():
    renamed()
    # <- calls: app/models.py:3
    app.models.helper()
    #          ^ calls: app/models.py:3
    m.helper()
    # ^ calls: app/models.py:3
    models.helper()
    #      ^ calls: app/models.py:3
    User()
    # <- calls: app/models.py:1
"#,
    );
}

#[test]
fn re_export_and_glob() {
    check(
        r#"
//- /src/pkg/__init__.py
from .core import Router as Router
from .tools import *
//- /src/pkg/core.py
class Router:
    def add(self): pass
//- /src/pkg/tools.py
def tool(): pass
//- /tests/test_a.py
from pkg import Router, tool
def test_it():
    Router().add()
    #        ^ calls: src/pkg/core.py:2
    tool()
    # <- calls: src/pkg/tools.py:1
"#,
    );
}

#[test]
fn receiver_types() {
    check(
        r#"
//- /a.py
from typing import Optional
class Inner:
    def work(self): pass
class Outer:
    def __init__(self, given: "Inner"):
        self.inner = Inner()
        self.given = given
    def run(self, items: list[Inner]):
        self.inner.work()
        #          ^ calls: a.py:3
        self.given.work()
        #          ^ calls: a.py:3
        for item in items:
            item.work()
            #    ^ calls: a.py:3
    @property
    def shortcut(self) -> Inner: ...
    @classmethod
    def make(cls) -> "Outer":
        return cls()
def use(outer: Optional[Outer] = None):
    outer.run([])
    #     ^ calls: a.py:8
    outer.shortcut.work()
    #              ^ calls: a.py:3
    Outer.make().run([])
    #            ^ calls: a.py:8
"#,
    );
}

#[test]
fn builder_chain() {
    check(
        r#"
//- /a.py
class Query:
    def where(self) -> "Query": ...
    def all(self): ...
def query() -> Query: ...
query().where().where().all()
#                       ^ calls: a.py:3
"#,
    );
}

#[test]
fn inheritance() {
    check(
        r#"
//- /base.py
class Base:
    def __init__(self): ...
    def run(self): ...
    def own(self): ...
//- /a.py
from base import Base
class Child(Base):
    def run(self):
        super().run()
        # <- calls: nothing
        super().run()
        #       ^ calls: base.py:3
        self.own()
        #    ^ calls: base.py:4
        self.run()
        #    ^ calls: a.py:3
"#,
    );
}

#[test]
fn outside_is_not_guessed() {
    check(
        r#"
//- /a.py
import requests
from os import path
class Session:
    def fetch_all(self): ...
def run(unknown):
    requests.Session().fetch_all()
    #                  ^ calls: nothing
    path.fetch_all()
    #    ^ calls: nothing
    print("x")
    # <- calls: nothing
    unknown.fetch_all()
    #       ^ calls: a.py:4
"#,
    );
}

#[test]
fn tests_are_no_targets_of_product_code() {
    check(
        r#"
//- /app.py
def run(thing):
    thing.special_step()
    #     ^ calls: nothing
//- /tests/test_app.py
class Fake:
    def special_step(self): ...
"#,
    );
}

#[test]
fn supertype_edges() {
    let text = r#"
//- /a.py
class Base:
    def run(self): ...
class Child(Base):
    def run(self): ...
"#;
    check_edges(
        text,
        EdgeKind::Extends,
        &expect![[r#"
        Child → Base (same-file)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::Dispatch,
        &expect![[r#"
        Base.run → Child.run (override)
    "#]],
    );
}

#[test]
fn import_edges() {
    let text = r#"
//- /app/__init__.py
//- /app/a.py
import os
from .b import helper
from fastapi import FastAPI
//- /app/b.py
def helper(): ...
"#;
    check_edges(
        text,
        EdgeKind::Imports,
        &expect![[r#"
        app/a.py → app/b.py (import-statement)
        app/a.py → fastapi (import-statement)
        app/a.py → helper (import-statement)
        app/a.py → os (import-statement)
    "#]],
    );
}
