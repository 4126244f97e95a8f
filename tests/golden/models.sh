#!/bin/sh
# A model at every stage: what is printed reads back equal in both forms, "quern opt" prints it again to
# the byte, and mlir-opt (if there is one) accepts it.
#   models.sh SHARED MODEL PROFILE QUERN OPT MLIR_OPT
# Skips when the model is not there. SPDX-License-Identifier: Apache-2.0
shared=${QUERN_SHARED:-$1} model=$2 profile=$3 quern=$4 opt=$5 mlir_opt=$6
path=$shared/models/$model.tflite
[ -f "$path" ] || { echo "SKIP: $path is not there"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for stage in model integer loops; do
  text=$work/$stage.mlir
  "$quern" compile "$path" --numerics "$profile" --emit $stage -o "$text" || exit 1
  "$opt" --allow-unregistered-dialect --round-trip "$text" >"$work/again.mlir" || exit 1
  "$quern" opt "$text" >"$work/opt.mlir" || exit 1
  cmp "$text" "$work/again.mlir" && cmp "$text" "$work/opt.mlir" || exit 1
  case $mlir_opt in
  *NOTFOUND | '') echo "mlir-opt-22 not found: $stage is not given to it" ;;
  *) "$mlir_opt" --allow-unregistered-dialect "$text" >"$work/theirs.mlir" || exit 1 ;;
  esac
done
