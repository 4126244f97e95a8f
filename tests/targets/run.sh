#!/bin/sh
# Compiles a model for another machine, links its object there and gives it recorded inputs, under an
# emulator: run.sh QUERN SOURCE TRIPLE CC EMULATOR LEVEL CPU (MODEL.tflite|SHARED NAME)
# CPU is the CPU that is emulated: the least capable one that LEVEL supports; after "-", one that LEVEL must not run on;
# after "+", one of which an old emulator does not tell what it has, so that the object runs whatever it says.
# A model whose name begins with "tflm-" has that profile.
# SHARED holds models/ and golden/; the environment variable QUERN_SHARED overrides it. Without it the recording is
# made here, by the interpreter of the model stage.
# SPDX-License-Identifier: Apache-2.0
quern=$1 source=$2 triple=$3 cc=$4 emulator=$5 level=$6 cpu=${7#[-+]} given=$7 model=$8 golden=
if [ $# -gt 8 ]; then
  shared=${QUERN_SHARED:-$8}
  model=$shared/models/$9.tflite golden=$shared/golden/litert-ref/$9
  [ -d "$golden" ] || golden=$shared/golden/tflm/$9 numerics=tflm
fi
case $model in */tflm-*) numerics=tflm ;; esac
for tool in "$cc" "$emulator"; do
  command -v "$tool" >/dev/null || { echo "SKIP: no $tool (scripts/setup test)"; exit 77; }
done
[ -f "$model" ] || { echo "SKIP: no $model"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if [ -z "$golden" ]; then
  golden=$work/golden
  "$quern" verify "$model" --record "$golden" --stage model ${numerics:+--numerics "$numerics"} >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
fi
"$quern" compile "$model" --target "$triple" --cpu "$level" ${numerics:+--numerics "$numerics"} -o "$work/model.o" --header "$work/model.h" || exit 1
left=$(nm -u "$work/model.o")
[ -z "$left" ] || { echo "the object needs $left"; exit 1; }
"$cc" -std=c99 -Wall -Wextra -Werror -fsyntax-only -x c "$work/model.h" || exit 1
"$cc" -std=c17 -Wall -Wextra -Werror -O1 -static -pthread -DTHREADS=3 -I"$source" "$source/tests/targets/main.c" \
  "$work/model.o" -o "$work/model" || exit 1
if [ "$given" = "+$cpu" ]; then
  said=$("$emulator" -cpu "$cpu" "$work/model" -f "$golden"/*/ 2>&1)
  code=$?
  echo "$said"
  case $said in *decode_save_opc*) echo "SKIP: $emulator fails at an instruction (8.1 has the fix)" && exit 77 ;; esac
  exit $code
fi
if [ "$given" != "$cpu" ]; then
  said=$("$emulator" -cpu "$cpu" "$work/model" "$golden"/*/ 2>&1)
  [ $? -eq 2 ] && echo "$said" | grep -q "does not run here" && exit 0
  echo "is not rejected: $said"
  exit 1
fi
"$emulator" -cpu "$cpu" "$work/model" "$golden"/*/
