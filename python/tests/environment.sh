#!/bin/sh
# Makes the environment of the Python tests: environment.sh FOLDER [PYTHON]. Exits with 77, and says so, where
# packages can't be had. Does nothing when all is there.
# SPDX-License-Identifier: Apache-2.0
set -eu
wanted=$(dirname "$0")/requirements.txt
folder=$1 python=${2-python3}
if cmp -s "$wanted" "$folder/made-of"; then exit 0; fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
skip() {
  cat "$log"
  echo "SKIP: the environment of the Python tests can't be made: $1"
  exit 77
}
"$python" -m venv --clear "$folder" >"$log" 2>&1 || skip "python3-venv is not installed"
"$folder/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 30 -r "$wanted" >"$log" 2>&1 ||
  skip "no network access, or a package is missing there"
cp "$wanted" "$folder/made-of"
