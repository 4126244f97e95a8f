#!/bin/sh
# Runs a libFuzzer program until it has used some seconds of CPU: "run_target.sh SECONDS LOG PROGRAM [ARGUMENT...]".
# The library itself counts wall seconds, of which a loaded machine gives it a part; so the program is started
# again until what it used, children and all, is what was asked for, or until it ends by a finding. Prints the
# seconds used and the executions; LOG holds the messages of all runs.
# SPDX-License-Identifier: Apache-2.0
set -eu
asked=$1 log=$2
shift 2
part=$(mktemp -d)
trap 'rm -rf "$part"' EXIT
# `times` is not called in a subshell, which would have no children of its own.
used_by_children() {
  times >"$part"/times
  used=$(awk 'NR == 2 {
    for (i = 1; i <= NF; i++) { split($i, t, /[ms]/); sum += t[1] * 60 + t[2] }
    printf "%.2f", sum
  }' "$part"/times)
}

: >"$log"
runs=0 status=0
used_by_children
start=$used wall=$asked spent=0
while [ $status -eq 0 ] && awk "BEGIN {exit !($spent < $asked)}"; do
  before=$used began=$(date +%s)
  "$@" -max_total_time="$wall" >"$part"/log 2>&1 || status=$?
  took=$(($(date +%s) - began))
  used_by_children
  cat "$part"/log >>"$log"
  new=$(sed -n 's/^stat::number_of_executed_units: *//p' "$part"/log)
  # What ended by a finding before its time has no statistics: the last line of progress has.
  [ -n "$new" ] || new=$(sed -n 's/^#\([0-9]*\)\t.*/\1/p' "$part"/log | tail -1)
  [ "${new:-0}" -gt 0 ] || break # it does nothing, and would for ever
  runs=$((runs + new))
  spent=$(awk "BEGIN {printf \"%.2f\", $used - $start}")
  # As long as the last run's share of the CPU makes likely.
  wall=$(awk "BEGIN {
    got = $used - $before; left = $asked - $spent
    share = got < 0.01 * $took || got <= 0 ? 0.01 : got / ($took > 0 ? $took : 1)
    printf \"%d\", left / (share > 1 ? 1 : share) + 1
  }")
done
echo "$spent $runs"
