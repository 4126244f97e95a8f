#!/bin/sh
# Runs the parts of one of MLIR's own tests one by one, with "quern opt" in the place of mlir-opt, and
# checks that those which fail are exactly the named ones: what we do otherwise on purpose.
#   differ.sh NAME.mlir QUERN FILECHECK [LABEL]...
# A label is what a part's first CHECK-LABEL line has, without "@".
# SPDX-License-Identifier: Apache-2.0
. "${0%/*}/find.sh"
shift 3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
awk -v work="$work" '/^\/\/ -----/ { part++; next } { print > sprintf("%s/%03d", work, part) }' "$file"
run=$(sed -n 's|^// RUN: *||p' "$file")
for part in "$work"/[0-9]*; do
  label=$(sed -n 's|^// *CHECK-LABEL: *@*\([A-Za-z0-9_]*\).*|\1|p' "$part" | head -n 1)
  [ -n "$label" ] || continue
  command=$(printf '%s\n' "$run" |
    sed -e "s|mlir-opt|$quern opt|g" -e "s|%s|$part|g" -e "s|FileCheck|$filecheck|g")
  sh -c "$command" >/dev/null 2>&1 || printf '%s\n' "$label" >>"$work/failed"
done
printf '%s\n' "$@" | sort >"$work/expected"
sort "$work/failed" | diff "$work/expected" -
