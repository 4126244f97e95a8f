#!/bin/sh
# The RAM of a model is at most the arena that TensorFlow Lite Micro uses for it, which holds inputs, outputs and states too:
# ram.sh QUERN SHARED DIGITS TABLE
# TABLE: lines of a model, bytes and digest, measured by benchmarks/tflm_arena.sh. SHARED has models/; QUERN_SHARED overrides it.
# SPDX-License-Identifier: Apache-2.0
quern=$1 shared=${QUERN_SHARED:-$2} digits=$3 table=$4
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0 compared=0
# Bytes of a part of the memory that the caller gives; 0 if the model has none.
part() {
  sed -n "s/^#define M_$1_BYTES //p" "$work/m.h" | grep . || echo 0
}
while read -r name limit _; do
  case $name in
  '#'*) continue ;;
  digits_int8) model=$digits ;;
  *) model=$shared/models/$name.tflite ;;
  esac
  [ -f "$model" ] || continue
  for level in thumbv6m-none-eabi:cortex-m0plus thumbv7m-none-eabi:cortex-m3 thumbv7em-none-eabi:cortex-m4 thumbv7em-none-eabihf:cortex-m7 \
    thumbv8.1m.main-none-eabihf:cortex-m55 riscv32-unknown-elf:rv32imc; do
    "$quern" compile "$model" -o "$work/m.o" --header "$work/m.h" --symbol m --target "${level%:*}" --cpu "${level#*:}" --io-in-arena || exit 1
    bytes=$(($(part ARENA) + $(part STATE) + $(part PREPARED)))
    compared=$((compared + 1))
    [ "$bytes" -le "$limit" ] || { echo "$name at ${level#*:} takes $bytes bytes, TensorFlow Lite Micro $limit"; failed=1; }
  done
done <"$table"
echo "$compared compared"
[ "$compared" -ge 6 ] && exit $failed
