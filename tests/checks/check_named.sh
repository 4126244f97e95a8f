#!/bin/sh
# The defects of upstream's passes and the worked examples that passes.txt names have a test each: a file, and
# in it a function. None is left out.
# Usage: check_named.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
list=tests/checks/passes.txt
work=$(mktemp) || exit 1
trap 'rm -f "$work"' EXIT
bad=0
say() { echo "$1"; bad=1; }

for defect in $(seq 1 23); do
  grep -q "^defect $defect " "$list" || say "no test is named for defect $defect"
done
for example in 8 10 15 19 20 22 26 27 28 $(seq 30 38) $(seq 41 45) 47 48 53 54; do
  grep -q "^example $example " "$list" || say "no test is named for example $example"
done
sed -n 's/^\(defect\|example\) [0-9]* \([^ ]*\) \([^ ]*\).*/\2 \3/p' "$list" >"$work"
while read -r file function; do
  case $function in @*) said="func\.func $function\b" ;; *) said=$function ;; esac
  grep -q "$said" "tests/$file" 2>/dev/null || say "tests/$file has no $function"
done <"$work"
exit $bad
