#!/bin/sh
# Checks a golden file against upstream:
#   mlir_opt.sh FILE OPT MLIR_OPT
# What OPT prints, in custom and generic form, must be accepted by mlir-opt, and what mlir-opt then
# prints must read back to the same text; with type aliases, too, where a RUN line asks for them. A line "// MLIR-OPT: accepts" asks for acceptance only (upstream
# prints something else on purpose), "// MLIR-OPT: none" for nothing (the file is wrong).
# SPDX-License-Identifier: Apache-2.0
file=$1 opt=$2 mlir_opt=$3
case $mlir_opt in
*NOTFOUND | '') echo "SKIP: mlir-opt-22 not found"; exit 77 ;;
esac
want=$(sed -n 's|^// MLIR-OPT: *||p' "$file")
[ "$want" = none ] && exit 0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
allow=--allow-unregistered-dialect
locations=
grep -q 'RUN:.*--locations' "$file" && locations=--locations
aliases=
grep -q 'RUN:.*--print-type-aliases' "$file" && aliases=--type-aliases

"$opt" $allow $locations "$file" >"$work/ours.mlir" || exit 1
for form in '' --generic $aliases; do
  "$opt" $allow $locations $form "$file" >"$work/printed.mlir" || exit 1
  "$mlir_opt" $allow ${locations:+--mlir-print-debuginfo} "$work/printed.mlir" >"$work/theirs.mlir" ||
    { echo "mlir-opt rejects the ${form:-custom} form"; exit 1; }
  [ "$want" = accepts ] && continue
  "$opt" $allow $locations "$work/theirs.mlir" >"$work/back.mlir" || exit 1
  diff "$work/ours.mlir" "$work/back.mlir" || { echo "mlir-opt means another module"; exit 1; }
done
