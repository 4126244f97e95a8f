#!/bin/sh
# The shared library exports what the public headers declare, and nothing else.
#   check_exports.sh SOURCE_DIR LIBRARY
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
grep -h '^QN_API ' include/quern/*.h | grep -o 'qn_[a-z0-9_]*(' | tr -d '(' | LC_ALL=C sort >"$work/declared"
# Not ours: what a sanitizer adds.
nm -D --defined-only "$2" | awk '{ print $3 }' | grep -vE '^_*(odr_asan|asan|ubsan|tsan|sanitizer|interceptor)' |
  LC_ALL=C sort >"$work/exported"
[ -s "$work/declared" ] || { echo "no declarations found"; exit 1; }
diff "$work/declared" "$work/exported"
