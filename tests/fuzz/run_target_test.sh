#!/bin/sh
# What run_target.sh credits a program with: "run_target_test.sh run_target.sh". The program sleeps for most of its
# time, as on a loaded machine, and says what libFuzzer says.
# SPDX-License-Identifier: Apache-2.0
set -eu
run=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir"/target <<'END'
#!/bin/sh
echo "$@" >>"$0".calls
case "$*" in
*idle*) exit 0 ;;
*broken*) printf '#2\tINITED\n#700\tNEW    cov: 1\n#812\tpulse  cov: 1\n' && exit 77 ;;
esac
sleep 0.2
awk 'BEGIN {for (i = 0; i < 6000000; i++) x += i}'
echo "stat::number_of_executed_units: 1000"
END
chmod +x "$dir"/target
fail() {
  echo "$1" >&2
  cat "$dir"/target.calls >&2
  exit 1
}

set -- $("$run" 1 "$dir"/log "$dir"/target corpus)
calls=$(wc -l <"$dir"/target.calls)
[ "$calls" -gt 1 ] || fail "one run was credited with more CPU than it used"
[ "$2" -eq $((calls * 1000)) ] || fail "$2 executions of $calls runs of 1000"
awk "BEGIN {exit !($1 >= 1)}" || fail "ended after $1 of 1 CPU seconds"
grep -q 'max_total_time=1$' "$dir"/target.calls || fail "the first run is not given the time asked for"

: >"$dir"/target.calls
set -- $("$run" 1 "$dir"/log "$dir"/target broken)
[ "$(wc -l <"$dir"/target.calls)" -eq 1 ] || fail "a finding does not end it"
[ "$2" -eq 812 ] || fail "$2 executions up to a finding after 812"
: >"$dir"/target.calls
"$run" 1 "$dir"/log "$dir"/target idle >/dev/null
[ "$(wc -l <"$dir"/target.calls)" -eq 1 ] || fail "a program that does nothing is run for ever"
