#!/bin/sh
# The drawings of pages are those that their commands make now. Usage: drawings.sh QUERN SOURCE_DIR PYTHON3
# SPDX-License-Identifier: Apache-2.0
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$2" # the drawing names the model by its path
"$3" scripts/figures.py --check
"$1" inspect "examples/digits/digits_int8.tflite" --cpu x86-64-v3 --svg "$work/arena.svg" >/dev/null
cmp "$work/arena.svg" docs/arena.svg || {
  echo "run: quern inspect examples/digits/digits_int8.tflite --cpu x86-64-v3 --svg docs/arena.svg"
  exit 1
}
