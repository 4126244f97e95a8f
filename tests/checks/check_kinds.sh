#!/bin/sh
# What a layer asks of an op is a field of its record or a trait: kinds of ops are listed nowhere else.
# Counted are, in each file outside of src/ir/ops: lines with a kind in a case, as an index of a table or at
# the start of a row, and statements that compare with two kinds or name two beside each other; patterns of
# graph passes are not. kinds.txt has the files that may, FILE COUNT REASON, with the count "any" where each
# is a row of a column; a file with more, or with fewer, than it says is an error.
# Usage: check_kinds.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
list=tests/checks/kinds.txt
found=$(find src lower codegen -name '*.[ch]' ! -path 'src/ir/ops/*' | LC_ALL=C sort |
  xargs awk '
    FNR == 1 { statement = "" }
    # What every module has, and what no table has, is no list of ops.
    { gsub(/QN_OP_(UNREGISTERED|COUNT|LIMIT|FIRST_FORM|BEFORE_FORMS|MODULE|FUNC)([^A-Z0-9_]|$)/, " ") }
    /case QN_OP_[A-Z]/ || /\[QN_OP_[A-Z][A-Z0-9_]*\]/ || /^ *\{?\{QN_OP_[A-Z]/ { count[FILENAME]++; next }
    { statement = statement " " $0 }
    /[;{}]$/ {
      gsub(/\.kinds = \{[^}]*\}/, "", statement)
      listed = statement ~ /QN_OP_[A-Z0-9_]+, *QN_OP_[A-Z]/
      compared = gsub(/[=!]= QN_OP_[A-Z]/, "", statement)
      if (listed || compared >= 2) count[FILENAME]++
      statement = ""
    }
    END { for (file in count) print file, count[file] }' | LC_ALL=C sort)
[ -n "$found" ] || { echo "no lists found, not even those of $list"; exit 1; }
bad=0
for file in $({ printf '%s\n' "$found"; grep -v '^#' "$list"; } | cut -d ' ' -f 1 | LC_ALL=C sort -u); do
  has=$(printf '%s\n' "$found" | sed -n "s|^$file ||p")
  may=$(sed -n "s|^$file \([0-9a-z]*\) .*|\1|p" "$list")
  [ "${has:-0}" = "${may:-0}" ] || { [ "$may" = any ] && [ -n "$has" ]; } && continue
  echo "$file lists kinds of ops ${has:-0} times, $list says ${may:-0}"
  bad=1
done
exit $bad
