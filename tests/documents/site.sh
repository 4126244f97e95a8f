#!/bin/sh
# The site is built without a warning, and its search index knows the pages. Usage: site.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1/scripts/site" "$work/site" || exit $? # 77: there is no generator
for page in index.html docs/tour/index.html docs/how-to/firmware/index.html include/quern/index.html; do
  [ -s "$work/site/$page" ] || { echo "no page $page"; exit 1; }
done
for word in requantization arena profile; do
  grep -qi "$word" "$work/site/search/search_index.json" || { echo "the search index lacks '$word'"; exit 1; }
done
