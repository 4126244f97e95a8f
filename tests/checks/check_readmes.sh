#!/bin/sh
# Each folder of the layer table has a README of at most 80 lines. Usage: check_readmes.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
bad=0
for folder in $(sed -n 's/^\([^#:]*\):.*/\1/p' tests/checks/layers.txt); do
  if [ ! -f "$folder/README.md" ]; then
    echo "$folder has no README.md"
    bad=1
  elif [ "$(wc -l <"$folder/README.md")" -gt 80 ]; then
    echo "$folder/README.md has more than 80 lines"
    bad=1
  fi
done
exit $bad
