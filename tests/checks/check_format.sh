#!/bin/sh
# C files are laid out by .clang-format; scripts/format lays files out. Usage: check_format.sh SOURCE_DIR CLANG_FORMAT
# Skips without clang-format 14, as versions differ. SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
format=$2
"$format" --version 2>/dev/null | grep -q 'version 14\.' || { echo "SKIP: clang-format 14 not found"; exit 77; }
files=$(find include runtime src lower codegen python plugins tests examples benchmarks -name '*.[ch]' 2>/dev/null |
  LC_ALL=C sort)
[ -n "$files" ] || { echo "no source files found"; exit 1; }
# shellcheck disable=SC2086 # a list of files
bad=$("$format" --dry-run -Werror $files 2>&1 | sed -n 's/^\([^ :]*\.[ch]\):\([0-9]*\):.*error:.*/\1:\2/p')
[ -z "$bad" ] && exit 0
echo "not laid out as .clang-format says (scripts/format FILE does it):"
printf '%s\n' "$bad"
exit 1
