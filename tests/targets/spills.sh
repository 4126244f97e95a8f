#!/bin/sh
# The innermost loops of matrix products keep their sums in registers: nothing of a vector's width is
# stored to or loaded from the stack there. spills.sh QUERN LEVEL PRODUCT (its instruction) [TRIPLE]
# SPDX-License-Identifier: Apache-2.0
quern=$1 level=$2 product=$3 triple=${4-}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# Two convolutions of SIZE x SIZE pixels, 192 channels to CHANNELS and back: the bytes of the first are
# those of the model, with a sign, of the second ours, without.
layers() {
  cat <<END
!x = !quant.uniform<i8:f32, 0.05:3>
!w = !quant.uniform<i8<-127:127>:f32, 0.01>
func.func @main(%x: tensor<1x$1x$1x192x!x>) -> tensor<1x$1x$1x192x!x> {
  %v = "ml.const"() {value = dense<93> : tensor<$2x1x1x192xi8>} : () -> tensor<$2x1x1x192x!w>
  %w = "ml.const"() {value = dense<93> : tensor<192x1x1x$2xi8>} : () -> tensor<192x1x1x$2x!w>
  %a = "ml.const"() {value = dense<7> : tensor<$2xi32>} : () -> tensor<$2xi32>
  %b = "ml.const"() {value = dense<7> : tensor<192xi32>} : () -> tensor<192xi32>
  %y = "ml.conv"(%x, %v, %a) {dilations = array<i64: 1, 1>, groups = 1 : i64, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x$1x$1x192x!x>, tensor<$2x1x1x192x!w>, tensor<$2xi32>) -> tensor<1x$1x$1x$2x!x>
  %z = "ml.conv"(%y, %w, %b) {dilations = array<i64: 1, 1>, groups = 1 : i64, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x$1x$1x$2x!x>, tensor<192x1x1x$2x!w>, tensor<192xi32>) -> tensor<1x$1x$1x192x!x>
  return %z : tensor<1x$1x$1x192x!x>
}
END
}
for size in 7 28 30; do for channels in 32 48 64 256; do
  layers $size $channels >layer.mlir
  "$quern" compile layer.mlir --emit asm --cpu "$level" ${triple:+--target "$triple"} -o layer.s || exit 1
  awk -v product="$product" -v what="$size $channels" '
    /^\.Lannotation[0-9]*:/ { next } # of quern.boundary
    /^[.A-Za-z_][^ ]*:/ { count = 0; spilled = ""; label = $1; sub(/:.*/, "", label) }
    index($0, product) { count++ }
    (/\(%rsp\)/ && /%[xyz]mm/) || (/\[sp/ && /\tq[0-9]/) { spilled = spilled "\n" $0 }
    /^\t(j|b\.)/ && $2 == label && count >= 4 { loops++; if (spilled != "") { print what ": " count " products" spilled; bad = 1 } }
    END { if (!loops) { print what ": no loop of " product; bad = 1 } exit bad }' layer.s || exit 1
done; done
