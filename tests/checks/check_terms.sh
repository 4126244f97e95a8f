#!/bin/sh
# No private term of terms.txt is left in any text file, except CHANGELOG.md, which is history. Lines that must keep a
# word (names of the API, upstream's messages) carry "term:keep" in a comment. Long sentences of pages are listed and
# don't fail. Usage: check_terms.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
list=$(mktemp) hits=$(mktemp) || exit 1
trap 'rm -f "$list" "$hits"' EXIT
# Files that git tracks or would track; all files where there is no git, as in an archive and in a planted tree.
{ git ls-files -zco --exclude-standard 2>/dev/null ||
  find . -path './build*' -prune -o -path ./.git -prune -o -type f -print0 | sed -z 's|^\./||'; } |
  grep -zvxF -e CHANGELOG.md -e tests/checks/terms.txt >"$list"
[ -s "$list" ] || exit 1

# One search for all terms, because there are thousands of files; the few hits are then searched for each.
any=$(sed -n '/^#/d; s/^\(..*\)	.*/(?:\1)/p' tests/checks/terms.txt | paste -sd '|' -)
grep -qP -e "$any" /dev/null
[ $? -eq 1 ] || exit 1 # an invalid expression would find nothing
xargs -0 grep -snPI -e "$any" /dev/null <"$list" | grep -v term:keep >"$hits"
if [ -s "$hits" ]; then
  while IFS='	' read -r term better; do
    case $term in '#'* | '') continue ;; esac
    sed 's/^[^:]*:[0-9]*://' "$hits" | grep -nP -e "$term" | while IFS=: read -r number _; do
      sed -n "${number}s|\$|   <- say: $better|p" "$hits"
    done
  done <tests/checks/terms.txt
  cut -d: -f1 "$hits" | sort | uniq -c | sed 's/^/private terms: /'
fi

tr '\0' '\n' <"$list" | grep '\.md$' | LC_ALL=C sort | while IFS= read -r page; do
  [ ! -f "$page" ] || awk -v page="$page" '
    /^```/ { code = !code; next }
    code || /^[|#<]/ || /^    / { next }
    /^$/ { words = 0; next }
    { gsub(/`[^`]*`/, "x")
      for (i = 1; i <= NF; i++) {
        words++
        if ($i ~ /[.:;]$/) { if (words > 35) printf "%s:%d: note: a sentence of %d words\n", page, FNR, words; words = 0 }
      } }' "$page"
done
[ ! -s "$hits" ]
