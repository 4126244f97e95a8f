#!/bin/sh
# The checks fail on faults planted into a copy of the sources, and say where. A check that passes
# whatever the sources are proves nothing. Usage: check_planted.sh SOURCE_DIR CLANG_FORMAT
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
format=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

# fault FILE LINE EXPECTED CHECK [ARGUMENT]: with LINE at the end of FILE, CHECK fails and names EXPECTED.
fault() {
  file=$1 line=$2 expected=$3 check=$4
  shift 4
  rm -rf "$work/tree"
  mkdir -p "$work/tree/tests" "$work/tree/examples" "$work/tree/benchmarks"
  cp -R include runtime src lower codegen docs .clang-format "$work/tree"
  cp -R tests/checks tests/golden tests/differ "$work/tree/tests"
  mkdir -p "$work/tree/tests/unit/import"
  cp tests/unit/import/profile_fields.def "$work/tree/tests/unit/import"
  printf '%s\n' "$line" >>"$work/tree/$file"
  said=$("tests/checks/$check" "$work/tree" "$@" 2>&1)
  status=$?
  [ $status -ne 77 ] || { echo "SKIP: $check"; return; }
  [ $status -ne 0 ] || { echo "$check passes with '$line' in $file"; bad=1; }
  printf '%s\n' "$said" | grep -qF -e "$expected" || { echo "$check does not name $expected:"; echo "$said"; bad=1; }
}

fault lower/integer/cast.c '#include "lower/loops/loops.h"' \
  'lower/integer may not include lower/loops/loops.h' check_layers.sh
fault lower/loops/matrix/pack.c '#include "lower/loops/memory/plan.h"' \
  'lower/loops/matrix may not include lower/loops/memory/plan.h' check_layers.sh
fault lower/loops/memory/offsets.c '#include "lower/loops/ops/binary.h"' \
  'lower/loops/memory may not include lower/loops/ops/binary.h' check_layers.sh
fault lower/loops/ops/pad.c '#include "lower/integer/integer.h"' \
  'lower/loops/ops may not include lower/integer/integer.h' check_layers.sh
fault lower/loops/fusion.c '#include "lower/loops/memory/plan.h"' 'lower/loops/memory/plan' check_circles.sh
fault lower/loops/loops.h '#include "lower/loops/kernel.h"' 'lower/loops/kernel' check_circles.sh
fault src/eval/value.h '#include "eval/eval_op.h"' 'src/eval/eval_op' check_circles.sh
fault lower/loops/nest.c 'static const bool views[] = {[QN_OP_ML_RESHAPE] = true};' \
  'lower/loops/nest.c lists kinds of ops 1 times' check_kinds.sh
fault src/eval/fold.c 'bool f(int k) { return k == QN_OP_ML_RELU || k == QN_OP_ML_TANH; }' \
  'src/eval/fold.c lists kinds of ops 1 times' check_kinds.sh
fault src/ir/walk.c '  case QN_OP_ML_CONV:' 'src/ir/walk.c lists kinds of ops 1 times' check_kinds.sh
fault lower/loops/ops/mean.c 'static void f(qn_kernel *k) { (void)k->args[1]; }' \
  'lower/loops/ops/mean.c' check_arguments.sh
fault codegen/emit/lookup.c 'static const char name[] = "llvm.x86.avx2.pshuf.b";' \
  'codegen/emit/lookup.c:' check_instructions.sh
fault lower/loops/nest.c 'static int f(const qn_target *t) { return qn_str_is(qn_str_of(t->name), "avxvnni"); }' \
  'lower/loops/nest.c:' check_instructions.sh
fault lower/loops/matrix/pack.c 'static int f(const qn_target *t) { return t->dot == &qn_dot_unsigned; }' \
  'lower/loops/matrix/pack.c:' check_instructions.sh
fault tests/checks/passes.txt 'example 8 golden/graph/worked.mlir @nowhere' \
  'tests/golden/graph/worked.mlir has no @nowhere' check_named.sh
fault src/quant/range.h '/* docs/arithmetic.md 99.1 */' 'no section 99.1' check_citations.sh
fault src/base/clock.c 'int  f (void) {return 1;}' 'src/base/clock.c:' check_format.sh "$format"
fault src/base/clock.c '/* What stands in front of the clock. */' 'src/base/clock.c' check_terms.sh
fault tests/unit/import/profile_fields.def 'FIELD( mean , litert_ref, QN_MEAN_SINGLE, sample, "mean" )' \
  "no row for 'mean', or more than one" check_profiles.sh
exit $bad
