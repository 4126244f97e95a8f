#!/bin/sh
# The checks fail on faults planted into a copy of the sources, and say where. A check that passes
# whatever the sources are proves nothing. Usage: check_planted.sh SOURCE_DIR CLANG_FORMAT BUILD_DIR CC NM
# SPDX-License-Identifier: Apache-2.0
cd "$1" || exit 1
format=$2 build=$3 cc=$4 nm=$5
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
  expect $? "$expected" "$check" "'$line' in $file"
}

# expect STATUS EXPECTED CHECK FAULT: what the check ended with and said.
expect() {
  [ "$1" -ne 77 ] || { echo "SKIP: $3"; return; }
  [ "$1" -ne 0 ] || { echo "$3 passes with $4"; bad=1; }
  printf '%s\n' "$said" | grep -qF -e "$2" || { echo "$3 does not name $2:"; echo "$said"; bad=1; }
}

# linked FILE LINE EXPECTED: with LINE at the end of FILE, its object makes check_cycles.sh fail.
linked() {
  object=$(cd "$build/CMakeFiles" && echo qn_*.dir/"$1.o")
  rm -rf "$work/objects"
  mkdir -p "$work/objects/CMakeFiles"
  cp -Rs "$build"/CMakeFiles/qn_*.dir "$work/objects/CMakeFiles"
  rm "$work/objects/CMakeFiles/$object"
  { cat "$1"; printf '%s\n' "$2"; } |
    "$cc" -std=c17 -D_GNU_SOURCE -I. -Isrc -Iinclude -O1 -x c -c - -o "$work/objects/CMakeFiles/$object" || bad=1
  said=$(tests/checks/check_cycles.sh . "$work/objects" "$nm" 2>&1)
  expect $? "$3" check_cycles.sh "'$2' in $1"
}

# listed LINE EXPECTED: with LINE at the end of its list, check_cycles.sh fails.
listed() {
  { cat tests/checks/cycles.txt; printf '%s\n' "$1"; } >"$work/cycles.txt"
  said=$(tests/checks/check_cycles.sh . "$build" "$nm" "$work/cycles.txt" 2>&1)
  expect $? "$2" check_cycles.sh "'$1' in its list"
}

fault lower/integer/cast.c '#include "lower/loops/loops.h"' \
  'lower/integer may not include lower/loops/loops.h' check_layers.sh
fault lower/loops/matrix/pack.c '#include "lower/loops/memory/plan.h"' \
  'lower/loops/matrix may not include lower/loops/memory/plan.h' check_layers.sh
fault lower/loops/memory/offsets.c '#include "lower/loops/ops/binary.h"' \
  'lower/loops/memory may not include lower/loops/ops/binary.h' check_layers.sh
fault lower/loops/ops/pad.c '#include "lower/integer/integer.h"' \
  'lower/loops/ops may not include lower/integer/integer.h' check_layers.sh
linked lower/loops/fusion/fusion.c 'qn_kernel f(qn_loops *lo) { return qn_kernel_begin(lo, "", NULL, NULL, 0); }' \
  'lower/loops/fusion/fusion needs qn_kernel_begin of lower/loops/kernel'
linked codegen/interface.c 'void qn_cg_source_close(void *); void f(void *s) { qn_cg_source_close(s); }' \
  'codegen/interface needs qn_cg_source_close of codegen/source'
linked src/base/ring.c 'void qn_heap_free(void *); void f(void *m) { qn_heap_free(m); }' \
  'src/base/ring needs qn_heap_free of src/base/heap'
linked runtime/arena.c 'void qn_instance_destroy(void *); void f(void *m) { qn_instance_destroy(m); }' \
  'runtime/arena needs qn_instance_destroy of runtime/model'
listed 'cycle src/base/clock src/base/file: none' 'no longer a cycle: cycle src/base/clock src/base/file'
listed 'table src/base/clock ^qn_: none' 'no longer a cycle: table src/base/clock ^qn_'
listed 'table src/text/print/type ^qn_print_' 'no reason: table src/text/print/type'
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
fault src/base/clock.c '/* What stands in front of the clock. */' 'src/base/clock.c' check_terms.sh # term:keep
fault tests/golden/text/arith.mlir '// Of every op the kind is told.' 'tests/golden/text/arith.mlir:' check_terms.sh # term:keep
fault docs/planted.py '    refused = []' 'docs/planted.py:' check_terms.sh # term:keep
fault docs/planted '# The whole picture.' 'docs/planted:' check_terms.sh # term:keep
fault tests/unit/import/profile_fields.def 'FIELD( mean , litert_ref, QN_MEAN_SINGLE, sample, "mean" )' \
  "no row for 'mean', or more than one" check_profiles.sh
exit $bad
