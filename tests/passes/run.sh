#!/bin/sh
# Runs the RUN lines of a file, all of which must succeed:
#   run.sh FILE QUERN FILECHECK PLUGIN OLD_PLUGIN NONE
# In a line, %s is the file, %quern the tool, %plugin, %old and %none the plug-ins, %t a name for temporary
# files, FileCheck the given program, and "code N COMMAND" succeeds when the command's exit code is N.
# SPDX-License-Identifier: Apache-2.0
file=$1 quern=$2 filecheck=$3 plugin=$4 old=$5 none=$6
case $filecheck in
*NOTFOUND | '') echo "SKIP: FileCheck not found"; exit 77 ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
lines=$(sed -n 's|^// RUN: *||p' "$file")
[ -n "$lines" ] || { echo "$file: no RUN line"; exit 1; }
printf '%s\n' "$lines" | {
  while IFS= read -r line; do
    command=$(printf '%s\n' "$line" | sed -e "s|%quern|$quern|g" -e "s|%plugin|$plugin|g" \
      -e "s|%old|$old|g" -e "s|%none|$none|g" -e "s|%s|$file|g" -e "s|%t|$folder/t|g" -e "s|FileCheck|$filecheck|g")
    sh -c 'code() { wanted=$1; shift; "$@"; is=$?; [ "$is" = "$wanted" ] || {
      echo "exit code $is, not $wanted" >&2; false; }; }
    '"$command" || { echo "failed: $command"; exit 1; }
  done
}
