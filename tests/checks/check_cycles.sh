#!/bin/sh
# No two files need each other: an object file needs every file that defines a symbol it refers to. The
# exceptions are the lines of cycles.txt, which must all be needed. Covers all that the libraries
# consist of. Usage: check_cycles.sh SOURCE_DIR BUILD_DIR NM [LIST]
# SPDX-License-Identifier: Apache-2.0
source=$(cd "$1" && pwd) build=$2 nm=$3 list=${4-$1/tests/checks/cycles.txt}
command -v "$nm" >/dev/null || { echo "SKIP: $nm not found"; exit 77; }
symbols=$(mktemp) || exit 1
trap 'rm -f "$symbols"' EXIT
# A build folder keeps the objects of files that are gone.
(cd "$build/CMakeFiles" && find -L qn_*.dir -name '*.c.o' | LC_ALL=C sort |
  while IFS= read -r object; do
    file=${object#*.dir/}
    case $file in
    lower/* | codegen/* | src/* | runtime/*) [ -e "$source/${file%.o}" ] && echo "$object" ;;
    esac
  done | xargs "$nm" -A -P -g) >"$symbols"
awk -f "$source/tests/checks/cycles.awk" "$list" "$symbols"
