#!/bin/sh
# Runs the RUN lines of a golden file, all of which must succeed:
#   run.sh FILE QUERN OPT FILECHECK
# In a line, %s is the file, "quern" at the start or after a pipe the tool, %opt the driver and FileCheck the given program.
# "RUN(LEVEL):" runs machine code: where this machine hasn't the level, the line is named and left out.
# SPDX-License-Identifier: Apache-2.0
file=$1 quern=$2 opt=$3 filecheck=$4
case $filecheck in
*NOTFOUND | '') echo "SKIP: FileCheck not found"; exit 77 ;;
esac
lines=$(sed -n 's|^// RUN\(([^)]*)\)\{0,1\}: *|\1 |p' "$file")
[ -n "$lines" ] || { echo "$file: no RUN line"; exit 1; }
printf '%s\n' "$lines" | {
  while IFS= read -r line; do
    level=$(printf '%s\n' "${line%% *}" | tr -d '()') line=${line#* }
    if [ -n "$level" ] && ! "$quern" list targets | grep -qE "^$level +[0-9]+ +yes "; then
      "$quern" list targets | grep -qE "^$level " || { echo "$file: no level is '$level'"; exit 1; }
      echo "SKIP: this machine hasn't $level: $line"
      continue
    fi
    command=$(printf '%s\n' "$line" |
      sed -e "s|^\(! \)*quern |\1$quern |" -e "s,| quern ,| $quern ,g" -e "s|%opt|$opt|g" -e "s|%s|$file|g" -e "s|FileCheck|$filecheck|g")
    sh -c "$command" || { echo "failed: $command"; exit 1; }
  done
}
