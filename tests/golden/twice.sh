#!/bin/sh
# The pipelines of passes on graphs leave nothing to do for a second run, on every golden file of the passes:
#   twice.sh QUERN FOLDER
# SPDX-License-Identifier: Apache-2.0
quern=$1 folder=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
files=0 bad=0
for file in "$folder"/*.mlir; do
  files=$((files + 1))
  for pipeline in graph-default graph-exact; do
    "$quern" opt "$file" --$pipeline >"$work/once" && "$quern" opt "$work/once" --$pipeline >"$work/twice" ||
      { echo "$file: $pipeline fails"; bad=1; continue; }
    diff "$work/once" "$work/twice" || { echo "$file: a second $pipeline changes something"; bad=1; }
  done
done
[ $files -gt 0 ] || { echo "no files in $folder"; exit 1; }
exit $bad
