#!/bin/sh
# The libraries export what the public headers declare, and nothing else; the shared one with the
# version that its name has.
#   check_exports.sh SOURCE_DIR SHARED_LIBRARY [STATIC_LIBRARY]
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
grep -h '^QN_API ' include/quern/*.h | grep -o 'qn_[a-z0-9_]*(' | tr -d '(' | LC_ALL=C sort >"$work/declared"
[ -s "$work/declared" ] || { echo "no declarations found"; exit 1; }

# exports WANTED LIBRARY NM-FLAGS. Not ours: what a sanitizer adds.
exports() {
  nm "$3" --defined-only "$2" | awk 'NF == 3 { print $3 }' |
    grep -vE '^_*(odr_asan|asan|ubsan|tsan|sanitizer|interceptor)' | LC_ALL=C sort >"$work/exported"
  diff "$1" "$work/exported" || { echo "$2: not what the headers declare"; failed=1; }
}

part() { sed -n "s/^#define QN_VERSION_$1 //p" include/quern/base.h; }
node=QUERN_$(part MAJOR)
[ "$node" != QUERN_0 ] || node=$node.$(part MINOR)
{ sed "s/\$/@@$node/" "$work/declared"; echo "$node"; } | LC_ALL=C sort >"$work/versioned"
exports "$work/versioned" "$2" -D
readelf -d "$2" | grep -q "SONAME.*\[libquern\.so\.${node#QUERN_}\]" || { echo "$2: another name"; failed=1; }
[ -z "${3-}" ] || exports "$work/declared" "$3" -g
exit $failed
