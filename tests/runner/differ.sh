#!/bin/sh
# Shows what casts give in upstream's tools, here (interpreted and compiled) and by definition, and
# checks that with the table in the file:
#   differ.sh FILE QUERN
#
# The file has two modules, separated by "// -----": functions with casts, and functions of the same
# names that compute the definition without casts, which upstream's runner executes. Lines:
#   // PASSES: names              run by both before lower-quant-ops
#   // CALL @f CONSTANT -> TYPE   the only argument, and the result: tensors of i32 or f32
#   // | text                     the expected table: three lines for each call
# CALL-UNDEFINED stands where LLVM defines no result for upstream's code: it is not run.
#
# SPDX-License-Identifier: Apache-2.0
file=$1 quern=$2
here=$(dirname "$0")
. "$here/pipeline.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
awk -v out="$work" '/^\/\/ -----/ { part++ } { print > (out "/" (part + 0) ".mlir") }' "$file"
passes=$(sed -n 's|^// PASSES: *||p' "$file")

numbers() { awk -v float="$1" -f "$here/numbers.awk"; }
message() { sed -n 's/^.*error: //p' | head -n 1; }

# upstream MODULE PASSES: calls @$function of the module; the numbers, or the first error.
upstream() {
  {
    cat "$1"
    echo "func.func private @$print(tensor<*x$element>)"
    echo "func.func @main() {"
    echo "  %x = arith.constant $constant"
    echo "  %0 = func.call @$function(%x) : (${constant##* : }) -> $result"
    echo "  %1 = tensor.cast %0 : $result to tensor<*x$element>"
    echo "  func.call @$print(%1) : (tensor<*x$element>) -> ()"
    echo "  return"
    echo "}"
  } >"$work/call.mlir"
  if upstream_lower "$work/call.mlir" "$2" >"$work/lowered" 2>"$work/errors"; then
    upstream_run <"$work/lowered" | numbers "$float"
  else
    echo "error: $(message <"$work/errors")"
  fi
}

# ours ENGINE
ours() {
  # shellcheck disable=SC2086 # several options
  if "$quern" opt "$work/0.mlir" $(echo "$passes" | sed 's/[^,]*/--&/g; s/,/ /g; s/^--$//') \
    --lower-quant-ops --function "$function" --emit="$1" --input "$constant" \
    >"$work/ours" 2>"$work/errors"; then
    numbers "$float" <"$work/ours"
  else
    echo "error: $(message <"$work/errors")"
  fi
}

sed -n 's|^// \(CALL[^ ]*\) @\([^ ]*\) \(.*\) -> \(.*\)$|\1\n\2\n\3\n\4|p' "$file" |
  while read -r call && read -r function && read -r constant && read -r result; do
    element=${result##*x} element=${element%%[,>]*}
    print=printMemref$(echo "$element" | tr if IF)
    float=0
    [ "$element" = f32 ] && float=1
    interpreted=$(ours interpret)
    compiled=$(ours run)
    [ "$compiled" = "$interpreted" ] || echo "compiled    $compiled"
    defined=none
    grep -q "@$function(" "$work/1.mlir" && defined=$(upstream "$work/1.mlir" "")
    [ "$call" = CALL-UNDEFINED ] && echo "upstream    undefined"
    [ "$call" = CALL-UNDEFINED ] || echo "upstream    $(upstream "$work/0.mlir" "$passes")"
    echo "ours        $interpreted"
    echo "definition  $defined"
    case $defined/$interpreted in
    none/* | */error:* | "$interpreted/$interpreted") ;;
    *) echo "ours is not the definition" ;;
    esac
  done >"$work/table"
sed -n 's|^// [|] ||p' "$file" >"$work/expected"
[ -s "$work/expected" ] || { echo "$file: no table"; exit 1; }
diff "$work/expected" "$work/table"
