use crate::check;

#[test]
fn same_file() {
    check(
        r#"
//- /a.sh
helper() { :; }
run() {
  helper 1
# ^ calls: a.sh:1
  x=$(helper 2)
#     ^ calls: a.sh:1
  helper | other && helper
# ^ calls: a.sh:1
#          ^ calls: a.sh:36
#                   ^ calls: a.sh:1
  if helper; then other; fi
#    ^ calls: a.sh:1
#                 ^ calls: a.sh:36
  for i in 1 2; do other "$i"; done
#                  ^ calls: a.sh:36
  echo "$(helper)"
#         ^ calls: a.sh:1
  while other; do :; done
#       ^ calls: a.sh:36
  case $x in a) other ;; esac
#               ^ calls: a.sh:36
  FOO=1 helper
#       ^ calls: a.sh:1
  ! helper || other
#   ^ calls: a.sh:1
#             ^ calls: a.sh:36
  ( other )
#   ^ calls: a.sh:36
  { other; }
#   ^ calls: a.sh:36
  command helper
#         ^ calls: a.sh:1
  trap helper EXIT
#      ^ refers: a.sh:1
}
function other { :; }
run "$@"
# <- calls: a.sh:2
"#,
    );
}

#[test]
fn variables() {
    check(
        r#"
//- /a.sh
LIMIT=10
readonly MODE="x"
run() {
  local name=$1
  echo "$LIMIT $MODE"
#        ^ refers: a.sh:1
#               ^ refers: a.sh:2
  echo "$name"
#        ^ refers: nothing
}
"#,
    );
}

#[test]
fn outside() {
    check(
        r#"
//- /a.sh
run() {
  grep x
# ^ calls: nothing
  ls
# ^ calls: nothing
  git status
# ^ calls: nothing
}
"#,
    );
}

#[test]
fn source() {
    check(
        r#"
//- /bin/tool
#!/usr/bin/env bash
source "$(dirname "$0")/../lib/common.sh"
log hi
# <- calls: lib/common.sh:2
deep
# <- calls: lib/deep.sh:1
main "$@"
# <- calls: bin/tool:9
main() { log x; }
#        ^ calls: lib/common.sh:2
//- /lib/common.sh
. "$DIR/deep.sh"
log() { deep; }
#       ^ calls: lib/deep.sh:1
//- /lib/deep.sh
deep() { :; }
//- /other/log.sh
log() { :; }
"#,
    );
}

#[test]
fn unique_names() {
    check(
        r#"
//- /a.sh
run() {
  only_one
# ^ calls: b.sh:1
  twice
# ^ calls: nothing
}
//- /b.sh
only_one() { :; }
twice() { :; }
//- /c.sh
twice() { :; }
"#,
    );
}

#[test]
fn nested() {
    check(
        r#"
//- /a.sh
outer() {
  inner() { :; }
  inner
# ^ calls: a.sh:2
}
inner
# <- calls: a.sh:2
"#,
    );
}

#[test]
fn tests_of_bats() {
    check(
        r#"
//- /lib/sum.sh
sum() { :; }
//- /test/sum.bats
load helpers
setup() {
  source "$BATS_TEST_DIRNAME/../lib/sum.sh"
}
@test "adds" {
  run sum 1 2
#     ^ calls: lib/sum.sh:1
  check_it 3
# ^ calls: test/helpers.bash:1
  sum 4
# ^ calls: lib/sum.sh:1
}
//- /test/helpers.bash
check_it() { :; }
"#,
    );
}

#[test]
fn arguments() {
    check(
        r#"
//- /a.sh
make() { :; }
run() {
  local made=$(make 1)
#              ^ calls: a.sh:1
  make "$(make 2)" <(make 3)
# ^ calls: a.sh:1
#         ^ calls: a.sh:1
#                    ^ calls: a.sh:1
  make `make 4`
# ^ calls: a.sh:1
#       ^ calls: a.sh:1
  time make
#      ^ calls: a.sh:1
  make > out 2>&1 &
# ^ calls: a.sh:1
  make <<< "x"
# ^ calls: a.sh:1
  until make; do :; done
#       ^ calls: a.sh:1
  x=1 y=2 make
#         ^ calls: a.sh:1
}
"#,
    );
}
