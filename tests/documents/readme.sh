#!/bin/sh
# Repeats the commands of a page as one who has just cloned would: readme.sh QUERN SOURCE PAGE
# In blocks of console, what follows "$ quern" is run, and what is shown under it has to come; "$ cat FILE" gives the
# file that is shown. Blocks that scripts/generated makes are checked there, but run here, too.
# SPDX-License-Identifier: Apache-2.0
source=$2 page=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" && ln -s "$1" "$work/bin/quern" && cp -r "$source/examples" "$source/docs" "$work" && ln -s "$source/tests" "$work" || exit 1
cd "$work" || exit 1
PATH=$work/bin:$PATH QUERN_CACHE=off
export PATH QUERN_CACHE

# step-N.sh: a command; step-N.txt: what is shown under it.
awk '
  /^```/ { block = !block; inside = block && ($0 == "```console" || $0 == "```"); shown = ""; next }
  !inside { next }
  /^\$ / { shown = sprintf("step-%03d", ++count); name = shown ".sh"; print substr($0, 3) >name; more = /\\$/; printf "" >(shown ".txt"); next }
  more { print >name; more = /\\$/; next }
  shown != "" { print >(shown ".txt") }
' "$source/$page"
failed=0 ran=0
for step in step-*.sh; do
  [ -e "$step" ] || { echo "$page: no commands"; exit 1; }
  shown=${step%.sh}.txt
  case $(cat "$step") in
    "cat "*) cp "$shown" "$(sed 's/^cat //' "$step")" && continue ;;
    quern*) ;;
    *) continue ;;
  esac
  sh "./$step" >out 2>err
  code=$?
  grep -q "needs the program" err && echo "SKIP: $(cat err)" && continue
  ran=$((ran + 1))
  [ $code -le 1 ] || { echo "$(cat "$step"): exit code $code"; cat err; failed=1; }
  if [ -s "$shown" ] && ! cmp -s out "$shown"; then
    echo "$(cat "$step"): prints otherwise"
    diff out "$shown"
    failed=1
  fi
done
echo "$ran commands of $page"
[ $ran -gt 0 ] || failed=1
exit $failed
