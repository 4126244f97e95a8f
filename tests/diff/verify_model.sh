#!/bin/sh
# Replays the recorded answers for one model: every tensor that an operator writes, and all outputs,
# must have the recorded bytes.
#
#   verify_model.sh QUERN SHARED PROFILE MODEL (model|integer|loops|jit)
#
# loops is executed by the interpreter for every CPU level, jit as machine code for every level that
# this machine has. SHARED holds models/ and golden/; the environment variable QUERN_SHARED overrides
# it. Exit code 77: the model is not there.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
quern=$1 shared=${QUERN_SHARED:-$2} profile=$3 name=$4 what=$5
model=$shared/models/$name.tflite
golden=$shared/golden/$profile/$name
if [ ! -f "$model" ] || [ ! -d "$golden" ]; then
  echo "SKIP: no $model with $golden (set QUERN_SHARED)"
  exit 77
fi

verify() {
  echo "$profile $name $what $*"
  "$quern" verify "$model" --golden "$golden" --numerics "$profile" "$@"
}

# The first column of the table of levels; with an argument, of the lines which have it as third.
levels() {
  "$quern" list targets | awk -v here="${1:-}" 'NR > 1 && (here == "" || $3 == here) { print $1 }'
}

case $what in
model | integer) verify --engine interpreter --stage "$what" ;;
loops) for cpu in $(levels); do verify --engine interpreter --stage loops --cpu "$cpu"; done ;;
jit) for cpu in $(levels yes); do verify --engine jit --cpu "$cpu"; done ;;
*) echo "unknown: $what" >&2; exit 2 ;;
esac
