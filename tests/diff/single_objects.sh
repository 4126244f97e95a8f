#!/bin/sh
# Models of one operator as objects: what an object gives in two invocations, linked with aot_main.c and nothing else, are
# the bytes that the interpreter gives.
#
#   single_objects.sh QUERN FOLDER
#
# FOLDER holds NAME.tflite and NAME_in0.npy ...; names that begin with a profile and a hyphen say which it is.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
quern=$1 models=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# interpret CALL ARGUMENT...: saves the outputs of the last invocation as those of this one.
interpret() {
  call=$1
  shift
  "$quern" run "$model" --numerics "$profile" --engine interpreter --save "$work" "$@" >/dev/null
  for output in "$work"/out?.npy; do mv "$output" "${output%.npy}.$call.npy"; done
}

failed=0
for model in "$models"/*.tflite; do
  name=$(basename "$model" .tflite) profile=litert-ref inputs=""
  case $name in *-*) profile=${name%-*} ;; esac
  rm -f "$work"/*.npy
  for input in "${model%.tflite}"_in*.npy; do
    number=${input##*_in}
    for call in 0 1; do cp "$input" "$work/in${number%.npy}.$call.npy"; done
    inputs="$inputs --input @$input"
  done
  interpret 0 $inputs
  interpret 1 $inputs --then $inputs
  for cpu in x86-64 native; do
    "$quern" compile "$model" --numerics "$profile" --cpu $cpu --symbol model -o "$work/model.o"
    cc -std=c17 -I "$here/../.." -o "$work/main" "$here/aot_main.c" "$work/model.o"
    "$work/main" "$work" >"$work/says" 2>&1 || { echo "$name, $cpu:"; cat "$work/says"; failed=1; }
  done
done
exit $failed
