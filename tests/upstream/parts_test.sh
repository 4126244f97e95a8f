#!/bin/sh
# Checks that the parts of MLIR's own tests which do not pass are exactly those that a list names:
#   parts_test.sh FOLDER QUERN FILECHECK LIST
# FOLDER is below mlir/test; parts that need a test dialect, other dialects, or passes and ops that we
# don't have are not in question. QUERN_UPSTREAM_ALL names the folder mlir/test of LLVM 22.1.8.
# SPDX-License-Identifier: Apache-2.0
folder=$1 quern=$2 filecheck=$3 list=$4
case $filecheck in
*NOTFOUND | '') echo "SKIP: FileCheck not found"; exit 77 ;;
esac
[ -n "$QUERN_UPSTREAM_ALL" ] || { echo "SKIP: QUERN_UPSTREAM_ALL is not set"; exit 77; }
[ -d "$QUERN_UPSTREAM_ALL/$folder" ] || { echo "SKIP: no folder $QUERN_UPSTREAM_ALL/$folder"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"${0%/*}/parts.sh" "$quern" "$filecheck" "$QUERN_UPSTREAM_ALL/$folder"/*.mlir >"$work/all"
[ -s "$work/all" ] || { echo "$folder has no parts"; exit 1; }
cut -d ' ' -f 2 "$work/all" | sort | uniq -c
awk -v folder="$folder" '$2 ~ /^(words|accepted|rejected|printed)$/ { print folder "/" $1, $2 }' "$work/all" |
  LC_ALL=C sort >"$work/is"
grep "^$folder/" "$list" | LC_ALL=C sort | diff - "$work/is"
