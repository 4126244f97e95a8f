#!/bin/sh
# No two files need each other: NAME.h and NAME.c are one file here, and what a file includes is what it
# needs. In the folders below; a circle is printed with the files in it.
# Usage: check_circles.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
folders='lower src/eval src/pass src/passes src/text src/import src/api'
command -v tsort >/dev/null || { echo "SKIP: tsort not found"; exit 77; }
pairs=$(find $folders -name '*.[ch]' | LC_ALL=C sort |
  while IFS= read -r file; do
    stem=${file%.[ch]}
    sed -n 's|^#include "\([^"]*\)\.h"$|\1|p' "$file" |
      while IFS= read -r needed; do
        [ -e "$needed.h" ] || needed=src/$needed
        [ "$needed" = "$stem" ] || echo "$stem $needed"
      done
  done)
[ -n "$pairs" ] || { echo "no includes found"; exit 1; }
circle=$(printf '%s\n' "$pairs" | tsort 2>&1 >/dev/null)
[ -z "$circle" ] && exit 0
echo "files that need each other, in a circle:"
printf '%s\n' "$circle" | sed 's/^tsort: */  /'
exit 1
