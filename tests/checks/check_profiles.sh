#!/bin/sh
# Every numerics profile names every rule: each record of src/quant/profile.c sets each field of
# qn_profile once, itself or by a macro NAME_RULES that several records share. A field that is left
# out would be 0, which is a rule too: a silent wrong result.
# Each field has a comment, and a row in tests/unit/import/profile_fields.def, by which its change is seen.
# Usage: check_profiles.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1/src/quant"
fields=$(sed -n '/^struct qn_profile {/,/^};/s/^  [a-z0-9_ ]*[ *]\([a-z0-9_]*\);.*/\1/p' profile.h | sort)
[ "$(echo "$fields" | wc -l)" -gt 30 ] || { echo "check_profiles: cannot read the fields of profile.h"; exit 1; }
failed=0
# Fields without a comment.
sed -n '/^struct qn_profile {/,/^};/p' profile.h | sed -n 's/^  [a-z0-9_ ]*[ *]\([a-z0-9_]*\); *$/\1/p' | while read -r name; do
  echo "src/quant/profile.h: '$name' has no comment"
done | grep . && failed=1
tested="$(sed -n 's/^FIELD( *\([a-z0-9_]*\) .*/\1/p' ../../tests/unit/import/profile_fields.def)
name
summary
kept_states"
for name in $(printf '%s\n%s\n' "$fields" "$(echo "$tested" | sort)" | sort | uniq -c | awk '$1 != 2 { print $2 }'); do
  echo "tests/unit/import/profile_fields.def: no row for '$name', or more than one"
  failed=1
done
profiles=$(sed -n 's/^const qn_profile \(qn_profile_[a-z0-9_]*\) = {$/\1/p' profile.c)
[ -n "$profiles" ] || { echo "check_profiles: no record in profile.c"; exit 1; }
for profile in $profiles; do
  record=$(sed -n "/^const qn_profile $profile = {/,/^};/p" profile.c)
  for rules in $(echo "$record" | sed -n 's/^    \([A-Z_]*_RULES\),$/\1/p'); do
    record=$(echo "$record"; sed -n "/^#define $rules /,/[^\\\\]\$/p" profile.c)
  done
  set_here=$(echo "$record" | grep -o ' \.[a-z0-9_]* =' | tr -d ' .=' | sort)
  for name in $(printf '%s\n%s\n' "$fields" "$set_here" | sort | uniq -c | awk '$1 != 2 { print $2 }'); do
    echo "src/quant/profile.c: $profile does not set '$name' exactly once, or profile.h lacks it"
    failed=1
  done
done
exit $failed
