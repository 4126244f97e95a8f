#!/bin/sh
# Every document that the tool prints is as docs/json.schema.json says, with no key more: run.sh QUERN SOURCE MODELS
# SPDX-License-Identifier: Apache-2.0
quern=$1 source=$2 models=$3
python3 -c 'import jsonschema' 2>/dev/null || { echo "SKIP: no python3-jsonschema" && exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# document DEFINITION CODE ARGUMENT...: what the tool prints, ending with CODE, is as the definition says.
document() {
  definition=$1 code=$2
  shift 2
  "$quern" "$@" --json >document.json 2>log
  got=$?
  [ $got -eq "$code" ] || { echo "quern $*: exit code $got, not $code"; cat log; failed=1; }
  python3 "$source/tests/documents/check.py" "$source/docs/json.schema.json" $definition document.json ||
    { echo "in what 'quern $*' prints"; failed=1; }
}

digits=$source/examples/digits/digits_int8.tflite
document run 0 run "$digits" --image "$source/examples/digits/seven.png"
document run 0 run "$digits" --image "$source/examples/digits/seven.png" --top 3 --labels "$source/examples/digits/labels.txt" --dump dump
document inspect 0 inspect "$digits"
document inspect 0 inspect "$digits" --batch 4 --any-size
document inspect 0 inspect "$digits" --cpu cortex-m4 --arena-limit 3000
printf 'func.func @main(%%x: tensor<4xf32>) -> tensor<4xf32> {\n  %%y = "strange.op"(%%x) {a = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>\n  return %%y : tensor<4xf32>\n}\n' >strange.mlir
document inspect 4 inspect strange.mlir
document bench 0 bench "$digits" --runs 3
cp document.json earlier.json
document bench 0 bench "$digits" --runs 3 --against earlier.json
document bench 0 bench "$digits" --runs 3 --engine interpreter
for what in passes pipelines ops dialects integer-forms tflite targets profiles stages rule-passes rule-functions rule-ops rule-extensions; do
  document list 0 list $what
done
document rules 0 rules check "$source"/rules/cleanup.rr
document rules 3 rules check "$source"/docs/examples/rules/slip.rr
document rules 0 rules list "$source"/rules/cleanup.rr
document rules 0 rules test "$source"/docs/examples/rules/pool.rr
document rules 0 rules coverage "$source"/rules/cleanup.rr "$digits"
python3 "$source/tests/documents/check.py" "$source/docs/json.schema.json" index dump/index.json || failed=1

document inspect 0 compile "$digits" -o digits.o --report
document inspect 0 compile "$digits" -o digits.o --report --target thumbv6m-none-eabi
document inspect 0 compile "$digits" -o digits.c --report --target thumbv6m-none-eabi

"$quern" verify "$digits" --record golden --cases 1 >/dev/null || failed=1
document verify 0 verify "$digits" --golden golden
if command -v arm-none-eabi-gcc >/dev/null && command -v qemu-system-arm >/dev/null; then
  document verify 0 verify "$digits" --board an386
fi
sed 's/"sha256": "./"sha256": "x/' golden/random1/tensors.json >new && mv new golden/random1/tensors.json
document verify 1 verify "$digits" --golden golden
document compare 1 compare dump golden/random1
document compare 0 compare dump "$digits" --isolate
mkdir planted && cp dump/*.npy dump/index.json planted
for file in planted/t*.npy; do
  head -c -1 "$file" >new && printf '\105' >>new && mv new "$file" && break
done
document compare 1 compare planted "$digits" --isolate

compared=$source/docs/examples/compare
document compare 1 compare "$compared/float.mlir" "$compared/int8.mlir" --loss

mkdir -p images/seven images/three && cp "$source/examples/digits/seven.png" images/seven && cp "$source/examples/digits/zero.png" images/three
document eval 0 eval "$digits" --images images --labels "$source/examples/digits/labels.txt" --against "$digits" --report
document eval 0 eval "$digits" --images images --labels "$source/examples/digits/labels.txt"

# A name that is no UTF-8, which JSON has no string for.
odd=$(printf 'odd\377.tflite') && cp "$digits" "$odd"
document run 0 run "$odd" --image "$source/examples/digits/seven.png"
document bench 0 bench "$odd" --runs 3
document verify 1 verify "$odd" --golden golden
document eval 0 eval "$odd" --images images --labels "$source/examples/digits/labels.txt"

# Models have what the digits lack: several outputs, scales per channel, names that are long.
for model in kws_ref_model split_concat; do
  [ -f "$models/$model.tflite" ] || { echo "$model.tflite is not there: left out" && continue; }
  document inspect 0 inspect "$models/$model.tflite"
done
[ ! -f "$models/split_concat.tflite" ] ||
  document run 0 run "$models/split_concat.tflite" --input random:1 --input random:2 --input random:3
exit $failed
