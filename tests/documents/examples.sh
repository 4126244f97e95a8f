#!/bin/sh
# The examples of docs/dialects.md give what they say, at their own stage and, where they have one, at the
# integer stage, where results are written without their quantization; and upstream reads them.
#   examples.sh QUERN MLIR_OPT FILE...
# SPDX-License-Identifier: Apache-2.0
quern=$1 mlir_opt=$2
shift 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

# compare FILE PASS...: what is computed against the lines "// => ", chunk by chunk.
compare() {
  file=$1
  shift
  "$quern" opt "$file" --split-input-file "$@" --emit=interpret >"$work/out" 2>"$work/said" ||
    { echo "$file: fails $*"; cat "$work/said"; bad=1; }
  sed '/^$/d' "$work/out" >"$work/got"
  sed -n 's|^// => ||p; /^\/\/ -----$/p' "$file" >"$work/wanted"
  if [ $# -gt 0 ]; then sed -i 's/ : [^:]*tensor.*//' "$work/got" "$work/wanted"; fi
  diff "$work/wanted" "$work/got" >"$work/diff" || { echo "$file: other results $*"; cat "$work/diff"; bad=1; }
}

for file in "$@"; do
  case $file in
  */quern_launch.mlir) "$quern" opt "$file" >/dev/null || bad=1 ;;
  */quern.mlir) compare "$file" ;; # of the loops stage
  *) compare "$file" && compare "$file" --lower-to-integer ;;
  esac
  case $mlir_opt in
  *NOTFOUND | '') ;;
  *) "$mlir_opt" --allow-unregistered-dialect --split-input-file "$file" >/dev/null || bad=1 ;;
  esac
done
exit $bad
