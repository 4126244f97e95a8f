#!/bin/sh
# What scripts/abi takes for a change that breaks programs, on a small library. Usage: abi.sh SOURCE_DIR
# SPDX-License-Identifier: Apache-2.0
source=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
export LLVM_INCLUDE=/usr/include
tree=$work/tree

# A library with a struct of options, one of results, an enum and two functions.
fresh() {
  rm -rf "$tree"
  mkdir -p "$tree/include/quern" "$tree/src/api" "$tree/src/base" "$tree/tests/packaging"
  cat >"$tree/include/quern/base.h" <<'END'
#define QN_VERSION_MAJOR 0
#define QN_VERSION_MINOR 1
#define QN_API __attribute__((visibility("default")))
typedef enum qn_kind { QN_FIRST, QN_SECOND } qn_kind;
typedef long qn_count;
typedef struct qn_opaque qn_opaque;
typedef struct qn_load_options { unsigned long size; int batch; const char *name; } qn_load_options;
typedef struct qn_result { long sum; qn_kind kind; } qn_result;
QN_API int qn_load(const qn_load_options *options, qn_opaque *opaque);
QN_API void qn_ask(qn_result *out, qn_count limit);
END
  cat >"$tree/src/api/all.c" <<'END'
#include <quern/base.h>
struct qn_opaque { int inner; };
int qn_load(const qn_load_options *options, qn_opaque *opaque) { return options->batch + opaque->inner; }
void qn_ask(qn_result *out, qn_count limit) { out->sum = limit; }
END
  cp "$tree/src/api/all.c" "$tree/src/base/none.c"
  sed -i 's/^/\/\/ /' "$tree/src/base/none.c"
}

# after WHAT keeps|breaks FILE SED-EXPRESSION...: how scripts/abi judges that change.
after() {
  what=$1 wanted=$2 file=$3
  shift 3
  fresh
  "$source/scripts/abi" --record "$tree" >/dev/null
  for expression; do sed -i "$expression" "$tree/$file"; done
  "$source/scripts/abi" "$tree" >"$work/said" 2>&1 && found=keeps || found=fails
  ! grep -q "would break" "$work/said" || found=breaks
  [ $found = "$wanted" ] || { echo "$what: should be '$wanted', but:"; cat "$work/said"; failed=1; }
}

fresh
"$source/scripts/abi" --record "$tree" >"$work/said" 2>&1
status=$?
[ $status = 0 ] || { cat "$work/said"; exit $status; }

header=include/quern/base.h
after "nothing" keeps $header
after "a function more" keeps src/api/all.c '$a QN_API int qn_more(void);\nint qn_more(void) { return 1; }'
after "a member at the end of options" keeps $header 's/const char \*name;/& int more;/'
after "a private struct" keeps src/api/all.c 's/int inner;/int inner, more;/'
after "a member within options" breaks $header 's/int batch;/int more; long long first; &/'
after "a member of a result" breaks $header 's/qn_kind kind;/& long more;/'
after "a parameter of another type" breaks $header 's/typedef long/typedef int/'
after "a function less" breaks src/api/all.c 's/^void qn_ask/static __attribute__((unused)) void qn_gone/'
after "an enumerator at the end" keeps $header 's/QN_SECOND/&, QN_THIRD/'
after "an enumerator in between" breaks $header 's/QN_FIRST,/& QN_BETWEEN,/'
after "the same with another minor version" keeps $header 's/QN_FIRST,/& QN_BETWEEN,/' 's/MINOR 1/MINOR 2/'
exit $failed
