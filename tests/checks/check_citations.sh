#!/bin/sh
# Comments cite sections of docs/arithmetic.md that are there. Usage: check_citations.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
page=docs/arithmetic.md
sections=$(sed -n -e 's/^## \([0-9]*\) .*/\1/p' -e 's/^\* \*\*\([0-9]*\.[0-9]*\) .*/\1/p' "$page")
# A citation may go over the end of a line, and name several sections.
cited=$(find include runtime src lower codegen -name '*.[ch]' -o -name '*.def' | LC_ALL=C sort | xargs cat |
  tr '\n' ' ' | sed 's/ \* / /g' |
  grep -oE 'docs/arithmetic\.md +[0-9]+(\.[0-9]+)?((,| and| to) +[0-9]+(\.[0-9]+)?)*' |
  sed 's/^[^ ]* *//' | grep -oE '[0-9]+(\.[0-9]+)?' | sort -u)
[ -n "$cited" ] || { echo "no citation found"; exit 1; }
bad=0
for section in $cited; do
  printf '%s\n' "$sections" | grep -qxF "$section" || { echo "$page has no section $section, which is cited"; bad=1; }
done
if grep -rnE '\(spec |spec "|spec [0-9]+\.[0-9]' include runtime src lower codegen --include='*.[ch]' --include='*.def'; then
  echo "cite docs/arithmetic.md instead"
  bad=1
fi
exit $bad
