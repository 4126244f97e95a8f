#!/bin/sh
# No private term of terms.txt is left in the folders and files of terms_swept.txt. Lines that must keep a word
# (names of the API, upstream's messages) carry "term:keep" in a comment. Long sentences of pages are listed and don't fail.
# Usage: check_terms.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
bad=0
swept=
for path in $(grep -v '^#' tests/checks/terms_swept.txt); do
  [ ! -e "$path" ] || swept="$swept $path" # a planted tree has only a part of them
done
[ -n "$swept" ] || exit 1
while IFS='	' read -r term better; do
  case $term in '#'* | '') continue ;; esac
  # shellcheck disable=SC2086 # a list of paths
  hits=$(grep -rnPI --include='*.[ch]' --include='*.def' --include='*.md' --include='*.sh' --include='*.cmake' \
    --include='*.txt' -e "$term" $swept | grep -v 'term:keep\|tests/checks/terms')
  if [ -n "$hits" ]; then
    echo "$hits" | sed "s|\$|   <- say: $better|"
    bad=1
  fi
done <tests/checks/terms.txt

# shellcheck disable=SC2086 # a list of paths
find $swept -name '*.md' | sort | while read -r page; do
  awk -v page="$page" '
    /^```/ { code = !code; next }
    code || /^[|#<]/ || /^    / { next }
    /^$/ { words = 0; next }
    { gsub(/`[^`]*`/, "x")
      for (i = 1; i <= NF; i++) {
        words++
        if ($i ~ /[.:;]$/) { if (words > 35) printf "%s:%d: note: a sentence of %d words\n", page, FNR, words; words = 0 }
      } }' "$page"
done
exit $bad
