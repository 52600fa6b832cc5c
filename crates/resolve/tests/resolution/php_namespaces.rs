//! Names of PHP across files: namespaces, `use`, Composer, included files.

use crate::check;

#[test]
fn same_namespace() {
    check(
        r#"
//- /src/A.php
<?php
namespace Acme\Web;
class A {
    public function run(B $b) {
        B::create()->work();
//         ^ calls: src/B.php:4
//                   ^ calls: src/B.php:5
        (new B())->work();
//           ^ calls: src/B.php:3
//                 ^ calls: src/B.php:5
        $b->work();
//          ^ calls: src/B.php:5
        shared();
//      ^ calls: src/B.php:7
    }
}
//- /src/B.php
<?php
namespace Acme\Web;
class B {
    public static function create(): B { return new B(); }
    public function work() {}
}
function shared() {}
"#,
    );
}

#[test]
fn use_class() {
    check(
        r#"
//- /src/Main.php
<?php
namespace App;
use Acme\Util\Tool;
use Vendor\Thing;
class Main {
    private Tool $tool;
    public function run(array $tools, Thing $thing) {
        Tool::fix();
//            ^ calls: lib/Tool.php:4
        $this->tool->use();
//                   ^ calls: lib/Tool.php:5
        $made = new Tool();
//                  ^ calls: lib/Tool.php:3
        $made->use();
//             ^ calls: lib/Tool.php:5
        $thing->use();
//              ^ calls: nothing
    }
}
//- /lib/Tool.php
<?php
namespace Acme\Util;
class Tool {
    public static function fix() {}
    public function use() {}
}
"#,
    );
}

#[test]
fn use_alias_and_group() {
    check(
        r#"
//- /src/Main.php
<?php
namespace App;
use Acme\Util\{Tool as Hammer, Box};
use Acme\Util;
class Main {
    public function run(Hammer $h, Box $b) {
        $h->hit();
//          ^ calls: lib/Tool.php:4
        $b->open();
//          ^ calls: lib/Box.php:4
        Hammer::make()->hit();
//              ^ calls: lib/Tool.php:5
//                      ^ calls: lib/Tool.php:4
        Util\Box::of();
//                ^ calls: lib/Box.php:5
    }
}
//- /lib/Tool.php
<?php
namespace Acme\Util;
class Tool {
    public function hit() {}
    public static function make(): static { return new static(); }
}
//- /lib/Box.php
<?php
namespace Acme\Util;
class Box {
    public function open() {}
    public static function of() {}
}
"#,
    );
}

#[test]
fn use_function() {
    check(
        r#"
//- /src/main.php
<?php
namespace App;
use function Acme\Util\clean;
use function Acme\Util\tidy as neat;
function run() {
    clean('x');
//  ^ calls: lib/functions.php:3
    neat('x');
//  ^ calls: lib/functions.php:4
    tidy('x');
//  ^ calls: nothing
}
//- /lib/functions.php
<?php
namespace Acme\Util;
function clean($a) {}
function tidy($a) {}
"#,
    );
}

#[test]
fn full_names() {
    check(
        r#"
//- /src/Main.php
<?php
namespace App;
class Main {
    public function run(\Acme\Util\Tool $tool) {
        \Acme\Util\Tool::fix();
//                       ^ calls: lib/Tool.php:4
        new \Acme\Util\Tool();
//                     ^ calls: lib/Tool.php:3
        $tool->use();
//             ^ calls: lib/Tool.php:5
        \Acme\Util\clean();
//                 ^ calls: lib/Tool.php:7
    }
}
//- /lib/Tool.php
<?php
namespace Acme\Util;
class Tool {
    public static function fix() {}
    public function use() {}
}
function clean() {}
"#,
    );
}

#[test]
fn global_functions() {
    check(
        r#"
//- /src/A.php
<?php
namespace App\Web;
class A {
    public function run() {
        legacy();
//      ^ calls: functions.php:2
        \legacy();
//       ^ calls: functions.php:2
    }
}
//- /functions.php
<?php
function legacy() {}
"#,
    );
}

#[test]
fn psr4() {
    check(
        r#"
//- /composer.json
{ "autoload": { "psr-4": { "Acme\\": "src/", "Acme\\Tests\\": ["tests"] } } }
//- /src/Util/Tool.php
<?php
namespace Acme\Util;
class Tool { public static function fix() {} }
//- /old/Tool.php
<?php
namespace Acme\Util;
class Tool { public static function fix() {} }
//- /src/Main.php
<?php
namespace Acme;
use Acme\Util\Tool;
class Main {
    public function run() {
        Tool::fix();
//            ^ calls: src/Util/Tool.php:3
    }
}
"#,
    );
}

#[test]
fn included_files() {
    check(
        r#"
//- /index.php
<?php
require_once __DIR__ . '/lib/boot.php';
boot();
//<- calls: lib/boot.php:2
//- /lib/boot.php
<?php
function boot() {}
"#,
    );
}

#[test]
fn block_namespaces() {
    check(
        r#"
//- /all.php
<?php
namespace One {
    function a() {}
    class K { public static function s() {} }
}
namespace Two {
    use One\K;
    function run() {
        K::s();
//         ^ calls: all.php:4
        \One\a();
//           ^ calls: all.php:3
        a();
//      ^ calls: nothing
    }
}
"#,
    );
}
