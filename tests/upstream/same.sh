#!/bin/sh
# Checks that a pass prints exactly what mlir-opt prints, up to blank lines:
#   same.sh FILE QUERN MLIR_OPT
# The line "// SAME: OPTIONS" of the file has the options that both get.
# SPDX-License-Identifier: Apache-2.0
file=$1 quern=$2 mlir_opt=$3
case $mlir_opt in
*NOTFOUND | '') echo "SKIP: mlir-opt-22 not found"; exit 77 ;;
esac
options=$(sed -n 's|^// SAME: *||p' "$file")
[ -n "$options" ] || { echo "$file: no SAME line"; exit 1; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086 # several options
"$quern" opt --upstream-compatible $options "$file" >"$work/ours" || exit 1
# shellcheck disable=SC2086
"$mlir_opt" $options "$file" >"$work/theirs" || exit 1
diff -B "$work/theirs" "$work/ours"
