#!/bin/sh
# Every pass on graphs has its tests: a golden file with a function that it changes and at least three that it
# leaves as they are, and a row of random graphs (tests/differ/graph_passes.c). It changes the same functions
# when their bodies are in a nested region, and nothing in what it has made. What a pass can't
# have is in passes.txt, with the reason; check_named.sh looks at what else is named there.
# Usage: check_passes.sh SOURCE_DIR QUERN
# SPDX-License-Identifier: Apache-2.0
quern=$2
cd "$1" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
list=tests/checks/passes.txt
bad=0 passes=0
say() { echo "$1"; bad=1; }
excused() { grep -q "^without $1 $2 " "$list"; }

# Compares two texts of a module: prints how many functions differ, and how many don't.
compare() {
  awk 'FNR == NR { if (/^ *func\.func /) n++; if (/^module/) next; before[n] = before[n] $0 "\n"; next }
    /^ *func\.func / { m++ } /^module/ { next } { after[m] = after[m] $0 "\n" }
    END {
      for (i = 1; i <= n; i++) if (before[i] == after[i]) stays++; else changes++
      print changes + 0, stays + 0
    }' "$1" "$2"
}
run() { "$quern" opt "$1" --split-input-file ${3:+"$3"} >"$2" 2>/dev/null; }

for file in src/passes/*/*.c; do
  case $file in src/passes/canonical/* | src/passes/quant/* | src/passes/support/*) continue ;; esac
  name=$(sed -n 's/^ *\.name = "\([a-z0-9-]*\)",/\1/p' "$file")
  [ -n "$name" ] || continue
  passes=$((passes + 1))
  stem=$(basename "$file" .c)
  golden=tests/golden/graph/$stem.mlir
  [ -f "$golden" ] || golden=$(grep -l -e "RUN:.* --$name[ =]" tests/golden/graph/*.mlir | head -n 1)
  [ -n "$golden" ] || { say "$name has no golden file"; continue; }
  flag=$(sed -n "s/^\/\/ RUN: quern opt .*\(--$name\(=[^\" |]*\)\{0,1\}\) *|.*/\1/p" "$golden" | head -n 1)
  run "$golden" "$work/before.mlir" && run "$work/before.mlir" "$work/after.mlir" "${flag:---$name}" &&
    run "$work/after.mlir" "$work/twice.mlir" "${flag:---$name}" &&
    awk -f tests/checks/nest.awk "$work/before.mlir" >"$work/wrapped.mlir" &&
    run "$work/wrapped.mlir" "$work/nested.mlir" &&
    run "$work/nested.mlir" "$work/after_nested.mlir" "${flag:---$name}" ||
    say "$name: it can't be run on $golden"
  cmp -s "$work/after.mlir" "$work/twice.mlir" || say "$name: a second run changes something of $golden"
  # shellcheck disable=SC2046 # four numbers
  set -- $(compare "$work/before.mlir" "$work/after.mlir") $(compare "$work/nested.mlir" "$work/after_nested.mlir")
  [ "$1" -ge 1 ] || say "$name changes nothing in $golden"
  [ "$2" -ge 3 ] || excused "$name" negatives || say "$name leaves $2 functions of $golden as they are, less than three"
  [ "$3" -eq "$1" ] || excused "$name" nested ||
    say "$name changes $1 functions of $golden, and $3 whose body is nested"
  grep -q "{&qn_pass_$stem," tests/differ/graph_passes.c || excused "$name" random ||
    say "$name has no row in tests/differ/graph_passes.c"
done
[ "$passes" -gt 0 ] || say "no passes found"

# What is excused and is there all the same.
sed -n 's/^without \([^ ]*\) random .*/\1/p' "$list" >"$work/excused"
while read -r name; do
  stem=$(printf %s "$name" | tr - _)
  ! grep -q "{&qn_pass_$stem," tests/differ/graph_passes.c || say "$name has a row of random graphs: it needs no excuse"
done <"$work/excused"
exit $bad
