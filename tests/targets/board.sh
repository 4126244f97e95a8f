#!/bin/sh
# Compiles a model for a microcontroller and compares its recorded answers with those of an emulated board, by 'quern verify':
# board.sh [-c|-a] [-l LIMIT] QUERN TRIPLE LEVEL BOARD (MODEL.tflite|SHARED NAME)
# The stack that was measured must not exceed the one that 'quern compile --report' prints, nor clearly the one of stack.txt. The object alone may need what its level lists: nothing, or the compiler's integer routines on ARMv6-M.
# -c: the C output instead of an object. -a: inputs and outputs are at their places in the arena. -l: the limit of the arena, which needs bands.
# SHARED holds models/ and golden/; the environment variable QUERN_SHARED overrides it. Without it the answers are
# the interpreter's to random inputs.
# SPDX-License-Identifier: Apache-2.0
form=obj
[ "$1" != -c ] || { form=c; shift; }
places=
[ "$1" != -a ] || { places=--io-in-arena; shift; }
limit=
[ "$1" != -l ] || { limit="--arena-limit $2"; shift 2; }
quern=$1 triple=$2 level=$3 board=$4 model=$5
if [ $# -gt 5 ]; then
  shared=${QUERN_SHARED:-$5}
  model=$shared/models/$6.tflite golden=$shared/golden/litert-ref/$6
  [ -d "$golden" ] || golden=$shared/golden/tflm/$6 numerics=tflm
fi
cc=arm-none-eabi-gcc emulator=qemu-system-arm
[ "$board" != virt ] || cc=riscv64-unknown-elf-gcc emulator=qemu-system-riscv32
for tool in "$cc" "$emulator"; do
  command -v "$tool" >/dev/null || { echo "SKIP: no $tool (scripts/setup boards)"; exit 77; }
done
[ -f "$model" ] || { echo "SKIP: no $model"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
set -- "$model" --target "$triple" --cpu "$level" ${numerics:+--numerics "$numerics"} $places $limit
if [ "$form" = obj ]; then
  "$quern" compile "$@" --symbol model -o "$work/model.o" --header "$work/model.h" \
    --report >"$work/report" || exit 1
  "$cc" -std=c99 -Wall -Wextra -Werror -ffreestanding -fsyntax-only -x c "$work/model.h" || exit 1
  left=$(nm -u "$work/model.o")
  [ "$level" != cortex-m0plus ] || left=$(nm -u "$work/model.o" | grep -v -e ' __aeabi_' -e ' __clzsi2$')
  [ -z "$left" ] || { echo "the object needs $left"; exit 1; }
fi
"$quern" verify "$@" --board "$board" --emit "$form" ${golden:+--golden "$golden"} >"$work/out" 2>"$work/log"
code=$?
cat "$work/out" "$work/log"
[ ! -s "$work/log" ] || exit 1 # warnings of the compiler are errors
[ $code = 0 ] && [ "$form" = obj ] || exit $code
# The stack that the compiler reports is an upper bound of what the board measures.
bound=$(sed -n 's/.*stack of a call: at most \([0-9]*\) bytes.*/\1/p' "$work/report")
taken=$(sed -n 's/.*calls took up to \([0-9]*\) bytes of stack/\1/p' "$work/out")
echo "reported: $bound bytes of stack"
[ "$taken" -gt 0 ] && [ "$taken" -le "$bound" ] || exit 1
# A bound may grow unseen, so the figure is recorded.
[ -z "$limit" ] || { grep '^in bands' "$work/report"; exit; }
recorded=$(sed -n "s/^$level $(basename "$model" .tflite) //p" "$(dirname "$0")/stack.txt")
echo "recorded: ${recorded:-no} bytes of stack"
[ -z "$recorded" ] || [ "$taken" -le $((recorded + recorded / 8 + 16)) ]
