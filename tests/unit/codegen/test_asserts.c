/* Planted mistakes: what codegen/ promises is asserted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codegen/emit/emit.h"
#include "tests/support/aborts.h"

/* The promises are asserted before LLVM is called, so that there need be no function. */
static qn_cg_source source = {.parts = 1};
static qn_cg cg = {.source = &source};

static void open_no_part(void *user) {
  (void)user;
  (void)!qn_cg_open(&cg, &source, 1);
}

static void shuffle_to_nothing(void *user) {
  (void)user;
  (void)e_shuffle(&cg, NULL, NULL, NULL, 0);
}

static void shuffle_too_many(void *user) {
  (void)user;
  (void)e_lanes_of(&cg, NULL, NULL, 0, 1, QN_CODEGEN_MAX_LANES + 1);
}

static void splat_to_nothing(void *user) {
  (void)user;
  (void)e_splat(&cg, NULL, 0);
}

static void clamp_to_nothing(void *user) {
  (void)user;
  (void)e_clamp(&cg, NULL, 1, 0);
}

static void load_at_three_bytes(void *user) {
  (void)user;
  (void)e_load(&cg, NULL, NULL, 3);
}

static void store_at_no_bytes(void *user) {
  (void)user;
  e_store(&cg, NULL, NULL, 0);
}

static void symbol_of_an_op(void *user) {
  (void)user;
  const qn_op op = {.kind = QN_OP_ARITH_ADDI};
  (void)qn_cg_symbol(&cg, &op);
}

static void op_without_code(void *user) {
  (void)user;
  qn_op op = {.kind = QN_OP_UNREGISTERED};
  const qn_block block = {.first = &op, .last = &op};
  qn_cg_emit_block(&cg, &block);
}

static const qn_test_promise promises[] = {
    {open_no_part, "part < source->parts"},
    {shuffle_to_nothing, "count >= 1"},
    {shuffle_too_many, "count <= QN_CODEGEN_MAX_LANES"},
    {splat_to_nothing, "lanes >= 1"},
    {clamp_to_nothing, "lo <= hi"},
    {load_at_three_bytes, "align & (align - 1)"},
    {store_at_no_bytes, "align > 0"},
    {symbol_of_an_op, "QN_OP_MEMREF_GLOBAL"},
    {op_without_code, "qn_emitters[op->kind]"},
};

static void broken_promises_abort(void **unused) {
  (void)unused;
  assert_int_equal(qn_test_unnoticed(promises, QN_COUNT(promises)), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(broken_promises_abort)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
