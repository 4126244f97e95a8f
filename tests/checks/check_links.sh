#!/bin/sh
# Every page under docs/ can be reached from README.md, and no link between pages leads nowhere.
# Usage: check_links.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
reached=$(mktemp) todo=$(mktemp) bad=0
trap 'rm -f "$reached" "$todo"' EXIT
echo README.md >"$todo"
while [ -s "$todo" ]; do
  page=$(head -1 "$todo")
  sed -i 1d "$todo"
  grep -qxF "$page" "$reached" && continue
  echo "$page" >>"$reached"
  folder=$(dirname "$page")
  # Links outside of code blocks, to files of this tree, without the anchor.
  for link in $(awk '/^```/ { code = !code; next } !code' "$page" | grep -o '](\([^) ]*\))' |
    sed 's/^](//; s/)$//; s/#.*//' | grep -v '^[a-z]*:' | sort -u); do
    file=$(realpath -m --relative-to=. "$folder/$link")
    if [ ! -e "$file" ]; then
      echo "$page: no such file: $link"
      bad=1
      continue
    fi
    case $file in *.md) echo "$file" >>"$todo" ;; esac
  done
done
for page in $(find docs -name '*.md' | sort); do
  grep -qxF "$page" "$reached" || { echo "$page: README.md leads to it by no link"; bad=1; }
done
[ "$(wc -l <"$reached")" -gt 5 ] || { echo "no links found"; bad=1; }
exit $bad
