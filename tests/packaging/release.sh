#!/bin/sh
# A whole release of the last commit, made twice, and its wheel used: release.sh SOURCE_DIR PYTHON
# SPDX-License-Identifier: Apache-2.0
source=$1 python=$2
cd "$source" || exit 1
git rev-parse --quiet --verify HEAD >/dev/null 2>&1 || { echo "SKIP: not a clone"; exit 77; }
"$python" scripts/release --check || { echo "SKIP: packages are missing"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv" || { echo "SKIP: no venv"; exit 77; }
"$work/venv/bin/pip" install --quiet --retries 1 'numpy>=1.26' >"$work/log" 2>&1 ||
  { cat "$work/log"; echo "SKIP: no network access"; exit 77; }
set -e
"$python" scripts/release --twice --output "$work/dist"
cd "$work/dist"
sha256sum --check SHA256SUMS
[ "$(find . -type f | wc -l)" = 7 ] # sdist, two wheels, .deb, .tar.gz, bill of materials, digests
"$work/venv/bin/pip" install --quiet --no-index --no-deps ./*_"$(uname -m)".whl
cd "$work"
digits=$source/examples/digits
"$work/venv/bin/quern" run "$digits/digits_int8.tflite" --input "@$digits/litert_xnnpack/in0.npy" --labels "$digits/labels.txt" --top 1 |
  grep -q seven
"$work/venv/bin/python" -m quern --version
