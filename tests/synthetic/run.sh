#!/bin/sh
# benchmarks/synthetic.py makes what it says: operators, multiply-accumulates and types as published, outputs that use
# their range, the same bytes each time. run.sh QUERN SOURCE
# SPDX-License-Identifier: Apache-2.0
quern=$1 make=$2/benchmarks/synthetic.py
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
# holds WHAT COMMAND...: the command succeeds.
holds() {
  what=$1
  shift
  "$@" || { echo "does not hold: $what"; failed=1; }
}
python3 "$make" . && python3 "$make" again mobilenet_v1_1.0_224 || exit 1
holds "the same bytes" cmp mobilenet_v1_1.0_224.tflite again/mobilenet_v1_1.0_224.tflite
holds "an unknown name" sh -c '! python3 "$1" . alexnet 2>log && grep -q "no model .alexnet." log' - "$make"
# Operators, and millions of products: of ResNet-50 and MobileNetV1 as their papers have them, of ResNet-8 as MLPerf Tiny.
while read -r model operators products type; do
  "$quern" inspect $model.tflite >log 2>&1
  holds "$model" grep -q "^$operators operators, $products[.0-9]* million multiply-accumulates" log
  holds "all inputs and outputs are $type" awk -v type="$type" '/x/ && NF >= 4 && $4 ~ /^(int|float)/ && $4 != type { exit 1 }' log
done <<END
resnet_50_224 73 4089 int8
mobilenet_v1_1.0_224 30 568 int8
bert_base_4x128 40 3623 int8
resnet_8_32_int16 15 12 int16
mobilenet_v1_1.0_224_float 30 568 float32
mobilenet_v1_1.0_224_hybrid 30 568 float32
linear_4096_hybrid_1 1 16 float32
linear_4096_hybrid_16 1 268 float32
linear_4096_hybrid_128 1 2147 float32
u_net_256 31 12073 int8
u_net_256_float 31 12073 float32
END
"$quern" run mobilenet_v1_1.0_224.tflite --input random:1 --cpu generic --save generic >log 2>&1 || { cat log; exit 1; }
"$quern" run mobilenet_v1_1.0_224.tflite --input random:1 --save native >log 2>&1 || { cat log; exit 1; }
holds "the same outputs at every level" diff -r generic native
"$quern" run bert_base_4x128.tflite --input random:1 >log 2>&1 || { cat log; exit 1; }
holds "a range of a byte" awk '/int8/ { found = 1; if ($4 - $3 < 80 || ($3 == -128 && $4 == 127)) exit 1 } END { exit !found }' log
exit $failed
