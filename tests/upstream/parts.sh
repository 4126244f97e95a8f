#!/bin/sh
# Runs the parts of MLIR's own tests, those between lines "// -----", one by one with "quern opt" in the
# place of mlir-opt, and prints one line for each: FILE:PART and what came of it.
#   parts.sh QUERN FILECHECK FILE...          (absolute paths)
# pass          all RUN lines that we have the passes for hold
# test          needs the dialect `test`
# passes        no RUN line has only passes and options that we have
# dialect NAME  needs a dialect that we don't have
# op NAME       needs an op of a dialect that we have other ops of
# words         the error that is expected comes with other words or at another place
# accepted      there is no error although one is expected
# rejected      there is an error although none is expected
# printed       something else is printed
# SPDX-License-Identifier: Apache-2.0
quern=$1 filecheck=$2
shift 2
dialects=$("$quern" opt --show-dialects | sed 's/.*: //; s/,/|/g')
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# The RUN lines, continued ones joined, with the tools of this machine; what runs other programs is left
# out, and so is what quern takes for a wrong command line.
commands() {
  sed -n 's|^ *// *RUN: *||p' "$1" | sed -e ':a' -e '/\\$/N; s/\\\n */ /; ta' |
    while IFS= read -r line; do
      case $line in *mlir-translate* | *not\ * | *%t* | *python* | *mlir-query*) continue ;; esac
      ours=$(printf '%s\n' "$line" | sed -e "s#mlir-opt#$quern opt#g" -e "s#FileCheck#$filecheck#g")
      first=$(printf '%s\n' "${ours%%|*}" | sed -e 's#%s#/dev/null#g' -e 's#2>&1##; s#<##')
      (cd "$work" && sh -c "$first") >/dev/null 2>&1 </dev/null
      [ $? = 2 ] || printf '%s\n' "$ours"
    done
}

# Without lines to check, FileCheck has nothing to do.
run_part() {
  part=$1
  while IFS= read -r line; do
    case $line in
    *"$filecheck"*)
      prefix=$(printf '%s\n' "$line" | sed -n 's/.*check-prefix[es]*[= ]\([A-Za-z0-9_,-]*\).*/\1/p' | sed 's/,/|/g')
      grep -Eq "(${prefix:-CHECK})(-[A-Z]+)?(\{LITERAL\})?:" "$part" || line=${line%|*}
      ;;
    esac
    (cd "$work" && sh -c "$(printf '%s\n' "$line" | sed "s#%s#$part#g")") >"$work/out" 2>&1 || return 1
  done <"$work/commands"
}

# Whether the part is rejected, and should be.
judge_text() {
  read -r line <"$work/commands"
  line=$(printf '%s\n' "${line%%|*}" | sed -e "s#%s#$1#g" -e 's/--*verify-diagnostics[a-z=-]*//')
  if (cd "$work" && sh -c "$line") >/dev/null 2>&1; then rejected=no; else rejected=yes; fi
  if grep -aq 'expected-error' "$1"; then [ $rejected = yes ] && echo words || echo accepted
  else [ $rejected = yes ] && echo rejected || echo printed; fi
}

# What a failure is about, by the first message.
judge() {
  name=$(sed -n "s/.*error: custom op '\([a-z_0-9]*\.[a-z_0-9.]*\)' is unknown.*/\1/p; s/.*error: op '\([^']*\)' has no custom form.*/\1/p; s/.*unregistered operation '\([^']*\)' found in dialect.*/\1/p" "$work/out" | head -n 1)
  case ${name%%.*} in
  '') judge_text "$1" ;;
  *) if printf '%s\n' "${name%%.*}" | grep -Eqx "$dialects"; then echo "op $name"; else echo "dialect ${name%%.*}"; fi ;;
  esac
}

for file in "$@"; do
  rm -f "$work"/[0-9]*
  commands "$file" >"$work/commands"
  awk -v work="$work" '/^\/\/ -----/ { part++; next } { print > sprintf("%s/%03d", work, part) }' "$file"
  for part in "$work"/[0-9]*; do
    grep -aEvq '^ *(//.*)?$' "$part" || continue
    if grep -aEv '^ *//' "$part" | grep -aEq '(^|[^A-Za-z0-9_.])test\.'; then status=test
    elif [ ! -s "$work/commands" ]; then status=passes
    elif run_part "$part"; then status=pass
    else status=$(judge "$part"); fi
    echo "$(basename "$file" .mlir):${part##*/} $status"
  done
done
