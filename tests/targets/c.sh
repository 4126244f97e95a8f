#!/bin/sh
# Compiles the C output of a model with a compiler of this machine, as strictly as it can, and gives it recorded inputs:
# c.sh QUERN SOURCE "CC FLAGS" "OPTIONS" (MODEL.tflite|SHARED NAME)
# OPTIONS are those of `quern compile`. SHARED holds models/ and golden/; the environment variable QUERN_SHARED overrides
# it. Without it the recording is made here, by the interpreter of the model stage.
# SPDX-License-Identifier: Apache-2.0
quern=$1 source=$2 cc=$3 options=$4 model=$5 golden=
if [ $# -gt 5 ]; then
  shared=${QUERN_SHARED:-$5}
  model=$shared/models/$6.tflite golden=$shared/golden/litert-ref/$6
  [ -d "$golden" ] || golden=$shared/golden/tflm/$6 numerics=tflm
fi
command -v "${cc%% *}" >/dev/null || { echo "SKIP: no ${cc%% *}"; exit 77; }
[ -f "$model" ] || { echo "SKIP: no $model"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if [ -z "$golden" ]; then
  golden=$work/golden
  "$quern" verify "$model" --record "$golden" --stage model >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
fi
# shellcheck disable=SC2086  # options are words
"$quern" compile "$model" $options ${numerics:+--numerics "$numerics"} --symbol model -o "$work/model.c" \
  --header "$work/model.h" || exit 1
# shellcheck disable=SC2086  # flags are words
compile() { $cc -Wall -Wextra -Werror "$@"; }
compile -std=c99 -pedantic -c "$work/model.c" -o "$work/model.o" || exit 1
compile -std=c99 -pedantic -x c -fsyntax-only -include "$work/model.h" "$work/model.c" || exit 1
compile -std=c17 -I"$source" "$source/tests/targets/main.c" "$work/model.o" -o "$work/model" || exit 1
"$work/model" "$golden"/*/
