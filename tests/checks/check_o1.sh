#!/bin/sh
# The sources build without a warning at -O1, too, where gcc sees less of what is inlined and more that may be
# unset: with the flags of the build but for its level.
#   check_o1.sh BUILD_DIR
# Skips where the build's compiler is another. SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
commands=$(sed -n 's|^  "command": "\(.*\)",$|\1|p' compile_commands.json | sed 's|\\"|"|g' |
  grep -E '/(src|lower|codegen|runtime)/[^ ]*\.c$')
[ "$(printf '%s\n' "$commands" | wc -l)" -gt 100 ] || { echo "check_o1: cannot read compile_commands.json"; exit 1; }
case $(${commands%% *} --version) in *"Free Software Foundation"*) ;; *) echo "SKIP: not gcc"; exit 77 ;; esac
printf '%s\n' "$commands" | sed 's| -O[0-9s]* | -O1 |; s| -o [^ ]* | -o /dev/null |' |
  xargs -d '\n' -P "$(nproc)" -n 1 sh -c
