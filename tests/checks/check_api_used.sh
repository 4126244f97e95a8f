#!/bin/sh
# Every public function is called by the scenarios of tests/faults, which run with faults and in several threads at once; or it is
# listed here with the reason why it is not.
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../.."
declared=$(sed -n '/^QN_API/,/;/p' include/quern/*.h | grep -oE '\bqn_[a-z0-9_]+ *\(' | tr -d '( ' | sort -u)
[ "$(echo "$declared" | wc -l)" -gt 80 ] || { echo "the headers are not understood"; exit 1; }
missing=0
for name in $declared; do
  case $name in
  qn_plugin_describe) continue ;; # it is defined by plug-ins, not by the library
  esac
  grep -qw "$name" tests/faults/scenarios*.c && continue
  # What frees, closes and names is in what all scenarios share, rules with functions beside a unit test.
  grep -qw "$name" tests/faults/run.c tests/faults/threads.c tests/support/called_rules.h && continue
  echo "$name is called by no scenario of tests/faults"
  missing=1
done
exit $missing
