#!/bin/sh
# Constants of an object of level generic take hardly more bytes than the model's weights: weights of 8 bits are
# stored as bytes, and what requantization needs of a channel beside its bias as few.
#
#   constant_bytes.sh QUERN SHARED
#
# For each model of SHARED/models (the environment variable QUERN_SHARED overrides it): at most 15 % more than the
# weights and biases of the file, tables of functions (softmax, gates) included. Exit code 77: no models are there.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
quern=$1 shared=${QUERN_SHARED:-$2}
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
if [ $count = 0 ]; then
  echo "SKIP: no $shared/models (set QUERN_SHARED)"
  exit 77
fi
exit $failed
