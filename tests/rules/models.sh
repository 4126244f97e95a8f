#!/bin/sh
# Rules over real models: models.sh QUERN SHARED [bless]
#   the library's bit rules keep every recorded bit of every model that can be read
#   rules are found alike by the tree and each alone
#   what fired is the table in fired.md; "bless" writes it
#   bands of rows lower the arena of a model, with the same bits
# SPDX-License-Identifier: Apache-2.0
quern=$1 shared=$2 bless=$3
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
library=$(echo ../../rules/*.rr | tr ' ' ',')

for golden in "$shared"/golden/litert-ref/*/; do
  name=$(basename "$golden")
  model=$shared/models/$name.tflite
  [ -f "$model" ] || continue
  "$quern" inspect "$model" >/dev/null 2>&1 || continue # not for rules to say
  "$quern" verify "$model" --golden "$golden" --rules "$library" --bit-rules >"$work/verify" 2>&1 || {
    echo "$name: $(tail -1 "$work/verify")"
    failed=1
  }
done

# the tree of a pass finds at every op what its rules find alone
for model in "$shared"/models/*.tflite; do
  "$quern" inspect "$model" >/dev/null 2>&1 || continue
  "$quern" opt "$model" "--apply-rules=files=$library matcher=both" -o "$work/module" >"$work/both" 2>&1 || {
    echo "$(basename "$model"): $(grep -v warning "$work/both" | tail -1)"
    failed=1
  }
done

"$quern" rules coverage ../../rules/*.rr "$shared"/models/*.tflite --markdown 2>/dev/null |
  awk -F'|' 'NR < 3 || $8 + 0 > 0' >"$work/fired.md"
if [ "$bless" = bless ]; then cp "$work/fired.md" fired.md; fi
diff -u fired.md "$work/fired.md" || failed=1

bands=../../docs/examples/rules/bands.rr
model=$shared/models/pretrainedResnet_quant.tflite
arena() { "$quern" compile "$model" -o - --emit loops "$@" | sed -n 's/.*quern.arena_bytes = \([0-9]*\).*/\1/p'; }
whole=$(arena) banded=$(arena --rules "$bands")
echo "arena of $(basename "$model"): $whole bytes, in bands of rows $banded"
[ "$banded" -lt "$whole" ] || failed=1
"$quern" verify "$model" --golden "$shared/golden/litert-ref/pretrainedResnet_quant" --rules "$bands" >/dev/null || failed=1
exit $failed
