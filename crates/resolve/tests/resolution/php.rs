use crate::check;

#[test]
fn same_file() {
    check(
        r#"
//- /src/A.php
<?php
namespace Acme;
function helper() {}
class A {
    public function own() {}
    public static function make(): self { return new static(); }
    public function run() {
        helper();
//      ^ calls: src/A.php:3
        $this->own();
//             ^ calls: src/A.php:5
        self::make()->own();
//            ^ calls: src/A.php:6
//                    ^ calls: src/A.php:5
        static::make();
//              ^ calls: src/A.php:6
        A::make();
//         ^ calls: src/A.php:6
        own();
//      ^ calls: nothing
        strlen('x');
//      ^ calls: nothing
    }
}
"#,
    );
}

#[test]
fn a_trait_answers_before_the_interface_that_declares_the_name() {
    check(
        r#"
//- /src/A.php
<?php
namespace Acme;
interface Fields { public function isNil(): bool; public function size(): int; }
trait Nil { public function isNil(): bool { return false; } }
final class Own implements Fields {
    use Nil;
    public function run() {
        $this->isNil();
//             ^ calls: src/A.php:4
    }
    public function size(): int { return 1; }
}
abstract class Part implements Fields {
    public function run() {
        $this->isNil();
//             ^ calls: src/A.php:3
    }
}
"#,
    );
}

#[test]
fn closures() {
    check(
        r#"
//- /src/a.php
<?php
function run() {
    $twice = function ($n) { return $n * 2; };
    $short = fn($n) => deep($n);
//                     ^ calls: src/a.php:11
    $twice(1);
//  ^ calls: src/a.php:3
    $short(1);
//  ^ calls: src/a.php:4
}
function deep($n) {}
"#,
    );
}

#[test]
fn inheritance() {
    check(
        r#"
//- /src/Base.php
<?php
namespace Acme;
abstract class Base implements Shape {
    public function __construct() {}
    public function own() {}
    abstract public function area(): int;
    public function step() {}
}
interface Shape { public function area(): int; }
class Child extends Base {
    public function __construct() { parent::__construct(); }
//                                          ^ calls: src/Base.php:4
    public function run(Shape $shape) {
        $this->own();
//             ^ calls: src/Base.php:5
        parent::own();
//              ^ calls: src/Base.php:5
        parent::step();
//              ^ calls: src/Base.php:7
        $this->step();
//             ^ calls: src/Base.php:25
        $shape->area();
//              ^ calls: src/Base.php:9
    }
    public function step() {}
    public function area(): int { return 1; }
}
"#,
    );
}

#[test]
fn traits() {
    check(
        r#"
//- /src/A.php
<?php
namespace Acme;
trait Logs { public function log(string $a) { $this->write($a); } }
//                                                   ^ calls: nothing
class A {
    use Logs;
    public function run() {
        $this->log('x');
//             ^ calls: src/A.php:3
    }
    public function write($a) {}
}
class B extends A {
    public function go() {
        $this->log('x');
//             ^ calls: src/A.php:3
    }
}
"#,
    );
}

#[test]
fn properties() {
    check(
        r#"
//- /src/A.php
<?php
namespace Acme;
class Client { public ?Client $next; public function go(): static { return $this; } }
class Service { public Client $client; public static Client $shared; public function client(): Client { return $this->client; } }
class A {
    private $plain;
    public function __construct(private readonly Service $svc, Client $given) {
        $this->plain = new Client();
        $this->given = $given;
    }
    public function run() {
        $this->svc->client->go();
//                          ^ calls: src/A.php:3
        $this->svc->client()->go()->go();
//                  ^ calls: src/A.php:4
//                            ^ calls: src/A.php:3
//                                  ^ calls: src/A.php:3
        $this->plain->go();
//                    ^ calls: src/A.php:3
        $this->given->go();
//                    ^ calls: src/A.php:3
        $this->svc?->client?->next?->go();
//                                   ^ calls: src/A.php:3
        Service::$shared->go();
//                        ^ calls: src/A.php:3
    }
}
"#,
    );
}

#[test]
fn variables() {
    check(
        r#"
//- /src/A.php
<?php
namespace Acme;
class Item { public function do() {} public function next(): self { return $this; } }
class Repo {
    public function find(int $a): Item { return new Item(); }
    /** @return Item[] */
    public function all() {}
}
function repo(): Repo { return new Repo(); }
class A {
    public function run(Repo $repo, ?Item $maybe) {
        $a = new Item();
        $a->do();
//          ^ calls: src/A.php:3
        $b = $repo->find(1);
//                  ^ calls: src/A.php:5
        $b->do();
//          ^ calls: src/A.php:3
        $c = repo();
//           ^ calls: src/A.php:9
        $c->find(1)->next()->do();
//          ^ calls: src/A.php:5
//                   ^ calls: src/A.php:3
//                           ^ calls: src/A.php:3
        $d = $b;
        $d->do();
//          ^ calls: src/A.php:3
        $maybe->do();
//              ^ calls: src/A.php:3
        foreach ($repo->all() as $e) {
            $e->do();
//              ^ calls: src/A.php:3
        }
    }
}
"#,
    );
}

#[test]
fn documented_types() {
    check(
        r#"
//- /src/A.php
<?php
class Item { public function do() {} }
class A {
    /** @var Item */
    private $item;
    /**
     * @param Item $one
     * @return Item
     */
    public function run($one) {
        $one->do();
//            ^ calls: src/A.php:2
        $this->item->do();
//                   ^ calls: src/A.php:2
        return $one;
    }
    public function go() {
        $this->run(1)->do();
//                     ^ calls: src/A.php:2
    }
}
"#,
    );
}

#[test]
fn enums_and_constants() {
    check(
        r#"
//- /src/A.php
<?php
namespace Acme;
enum Color: string {
    case Red = 'r';
    public function label(): string { return ''; }
    public static function of(): self { return self::Red; }
}
class A {
    public function run(Color $c) {
        $c->label();
//          ^ calls: src/A.php:5
        Color::of()->label();
//             ^ calls: src/A.php:6
//                   ^ calls: src/A.php:5
        Color::Red->label();
//                  ^ calls: src/A.php:5
    }
}
"#,
    );
}

#[test]
fn anonymous_classes() {
    check(
        r#"
//- /src/A.php
<?php
namespace Acme;
interface Listener { public function on(); }
class Bus { public function add(Listener $l) { $l->on(); } }
//                                                 ^ calls: src/A.php:3
class A {
    public function run(Bus $bus) {
        $bus->add(new class implements Listener { public function on() { fire(); } });
//            ^ calls: src/A.php:4
//                                                                       ^ calls: src/A.php:13
    }
}
function fire() {}
"#,
    );
}

#[test]
fn variables_are_no_functions() {
    check(
        r#"
//- /a.php
<?php
function item() {}
function run($item) {
    $item->go();
//         ^ calls: nothing
    $item();
//  ^ calls: nothing
}
"#,
    );
}

#[test]
fn tests_do_not_answer() {
    check(
        r#"
//- /src/A.php
<?php
namespace Acme;
class A {
    public function run($x) {
        $x->special();
//          ^ calls: nothing
    }
}
//- /tests/AllTest.php
<?php
namespace Acme\Tests;
class AllTest { public function special() {} }
"#,
    );
}
