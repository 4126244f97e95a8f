#!/bin/sh
# Constants of an object of level generic take hardly more bytes than the model's weights: weights of 8 bits are
# stored as bytes, and what requantization needs of a channel beside its bias as few.
#
#   constant_bytes.sh QUERN SHARED DIGITS.tflite
#
# For each model of SHARED/models (the environment variable QUERN_SHARED overrides it): at most 15 % more than the
# weights and biases of the file, tables of functions (softmax, gates) included. Exit code 77: no models are there.
#
# At levels of microcontrollers, without the description of the model, which linkers drop: at most the percentage in
# the table, which is the same for all of them, except for one model.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
quern=$1 shared=${QUERN_SHARED:-$2} digits=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 count=0
for model in "$shared"/models/*.tflite; do
  [ -f "$model" ] || continue
  count=$((count + 1))
  "$quern" compile "$model" --cpu generic -o "$work/model.o" --report >"$work/report" 2>/dev/null
  weights=$(sed -n 's/.* \([0-9]*\) bytes of weights.*/\1/p' "$work/report")
  constants=$(sed -n 's/.*constants of \([0-9]*\) bytes.*/\1/p' "$work/report")
  most=$((${weights:-0} * 115 / 100))
  echo "$(basename "$model" .tflite): $constants bytes of constants, ${weights:-0} of weights, at most $most"
  [ "$constants" -le "$most" ] || failed=1
done
[ $count -gt 0 ] || echo "SKIP: no $shared/models (set QUERN_SHARED)"

# Compiles MODEL.tflite for a microcontroller; at most PERCENT of the weights.
small() {
  triple=$1 cpu=$2 model=$3 percent=$4
  [ -f "$model" ] || return 0
  "$quern" compile "$model" --target "$triple" --cpu "$cpu" -o "$work/model.o" --symbol model --report \
    >"$work/report" 2>/dev/null || { echo "$model: no code for $cpu"; failed=1; return 0; }
  weights=$(sed -n 's/.* \([0-9]*\) bytes of weights.*/\1/p' "$work/report")
  constants=$(awk '$1 ~ /^\.rodata/ && $1 !~ /_model$/ && $2 == "constants" { sum += $3 } END { print sum + 0 }' "$work/report")
  echo "$(basename "$model" .tflite) at $cpu: $constants bytes of constants, $((constants * 1000 / weights)) thousandths of the weights"
  [ "$constants" -gt 0 ] && [ $((constants * 100)) -le $((weights * percent)) ] || failed=1
}

# All models at one level: TRIPLE CPU PERCENT, that of vww.
level() {
  small "$1" "$2" "$shared/models/vww_96_int8.tflite" "$3"
  small "$1" "$2" "$digits" 110
  while read -r name percent; do small "$1" "$2" "$shared/models/$name.tflite" "$percent"; done <<END
ad01_int8 101
pretrainedResnet_quant 106
person_detect 107
str_ww_ref_model 110
keyword_scrambled_8bit 107
kws_ref_model 110
micro_speech_quantized 101
trained_lstm_int8 104
hello_world_int8 110
END
}
level thumbv6m-none-eabi cortex-m0plus 24
level thumbv7m-none-eabi cortex-m3 24
level thumbv7em-none-eabi cortex-m4 24
level thumbv7em-none-eabi cortex-m7 24
level riscv32-unknown-elf rv32imc 24
level thumbv8.1m.main-none-eabi cortex-m55 25
level thumbv8.1m.main-none-eabi cortex-m85 25
[ $failed = 0 ] || exit 1
[ $count -gt 0 ] || exit 77
