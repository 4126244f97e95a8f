#!/bin/sh
# The reader of rules against files: run.sh QUERN SECTION [bless]
#   library    the rules of this repository have no errors and are in the canonical layout
#   malformed  the messages about each file of malformed/ equal the file next to it
#   expanded   each macro of the language expands to the expected text
#   rewritten  the rules named in each file of rewrite/ turn it into the file next to it, which can be read again
#   reported   what coverage, explain, why-not, bisect and replay say
#   tested     rules test on the library: all pass
#   found      rules test finds graphs for each rule of trial/found.rr, and does not take for ever
#   planted    three faults are found: a wrong rule, two that undo each other, one that never fires
#   formatted  formatting each file of format/ gives the file next to it; formatting that changes nothing
# With "bless" the files beside them are written.
# SPDX-License-Identifier: Apache-2.0
quern=$1 section=$2 bless=$3
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# compare FILE OUTPUT: FILE has what the tool printed.
compare() {
  if [ "$bless" = bless ]; then cp "$2" "$1"; fi
  diff -u "$1" "$2" || failed=1
}

library() {
  "$quern" rules check ../../rules/*.rr || failed=1
  "$quern" rules format --dry-run ../../rules/*.rr || failed=1
  "$quern" rules list ../../rules/*.rr --json >"$work/list.json" || failed=1
}

malformed() {
  for file in malformed/*.rr malformed/*.cc; do
    "$quern" rules check "$file" >"$work/out" 2>&1
    echo "exit code $?" >>"$work/out"
    compare "${file%.*}.txt" "$work/out"
  done
}

expanded() {
  "$quern" rules check --dump-expanded expanded.rr >"$work/out" 2>&1 || failed=1
  compare expanded.txt "$work/out"
}

formatted() {
  for file in format/*.in.rr format/*.in.cc; do
    wanted=$(echo "$file" | sed 's/\.in\././')
    "$quern" rules format "$file" >"$work/out" || failed=1
    compare "$wanted" "$work/out"
    "$quern" rules format --dry-run "$wanted" || failed=1
  done
}

rewritten() {
  cd rewrite || exit 1
  for file in *.mlir; do
    options=$(sed -n 's|^// run: ||p' "$file")
    "$quern" opt "$file" "--apply-rules=$options" --verify-roundtrip -o "$work/module" >"$work/out" 2>&1
    echo "exit code $?" >>"$work/out"
    "$quern" opt "$work/module" >>"$work/out" 2>&1 || failed=1
    "$quern" opt "$file" "--apply-rules=$options matcher=plain" -o "$work/plain" 2>/dev/null
    cmp "$work/module" "$work/plain" || failed=1
    "$quern" opt "$file" "--apply-rules=$options matcher=both" -o "$work/plain" 2>/dev/null
    cmp "$work/module" "$work/plain" || failed=1 # the tree finds what rules find alone
    compare "${file%.*}.txt" "$work/out"
  done
}

reported() {
  cd rewrite || exit 1
  "$quern" opt splits.mlir '--apply-rules=files=splits.rr log=true' -o "$work/module" 2>"$work/log" || failed=1
  sed 's/ op 2 / op 1 /' "$work/log" >"$work/wrong"
  {
    "$quern" rules coverage undone.rr undone.mlir 2>/dev/null
    "$quern" rules coverage --validate undone.rr undone.mlir splits.mlir 2>/dev/null
    "$quern" rules explain slice-of-one@2 undone.rr undone.mlir
    "$quern" rules explain by-zero@:13: undone.rr undone.mlir
    "$quern" rules explain wrong@1 undone.rr undone.mlir
    "$quern" rules explain other-size@9 undone.rr undone.mlir
    "$quern" rules why-not channels splits.rr splits.mlir
    for rule in smaller cheaper; do "$quern" rules why-not $rule cost.rr cost.mlir; done
    "$quern" rules coverage cost.rr cost.mlir 2>/dev/null
    "$quern" rules why-not copies missing.rr splits.mlir
    # shellcheck disable=SC2016
    "$quern" rules bisect splits.rr splits.mlir --check 'sh -c "test \$(grep -c ml.max_pool \$0) -lt 2"'
    "$quern" rules bisect splits.rr splits.mlir --check true
    "$quern" rules bisect splits.rr splits.mlir --check false
    "$quern" rules replay "$work/log" splits.rr splits.mlir
    "$quern" rules replay "$work/wrong" splits.rr splits.mlir
  } >"$work/out" 2>&1
  compare ../reported.txt "$work/out"
}

tested() {
  "$quern" rules test ../../rules/*.rr >"$work/out" 2>&1
  # the rest would be a rule that fails, never fires, or is not there any more
  grep -v ' PASS ' "$work/out" | grep -v '^rule ' && failed=1
  [ "$(grep -c ' PASS ' "$work/out")" -ge 60 ] || failed=1
}

found() {
  "$quern" rules test trial/found.rr >"$work/out" 2>&1
  grep -v ' PASS ' "$work/out" | grep -v '^rule ' && failed=1
  [ "$(grep -c ' PASS ' "$work/out")" = "$(grep -c '^//:rule' trial/found.rr)" ] || failed=1
  timeout 600 "$quern" rules test trial/many.rr >"$work/out" 2>&1
  grep 'UNSUPPORTED *6000 ' "$work/out" >"$work/silent" || failed=1
  grep 'warning.W0816' "$work/out" >"$work/silent" || failed=1
}

planted() {
  {
    "$quern" rules check planted/wrong.rr
    "$quern" rules test planted/wrong.rr
    echo "exit code $?"
    "$quern" rules coverage planted/wrong.rr planted/graph.mlir
    "$quern" rules why-not never planted/wrong.rr planted/graph.mlir
  } >"$work/out" 2>&1
  compare planted/wrong.txt "$work/out"
}

"$section"
exit $failed
