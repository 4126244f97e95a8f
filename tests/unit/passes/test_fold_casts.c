/* Quantized casts of constants are folded to the results of executing them, for every kind of type.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/verify/verify.h"
#include "ir/walk.h"
#include "passes/passes.h"
#include "tests/support/cast_case.h"

static bool expect_no_arithmetic(qn_op *op, void *user) {
  (void)user;
  assert_int_not_equal(op->kind, QN_OP_QUANT_QCAST);
  assert_int_not_equal(op->kind, QN_OP_QUANT_DCAST);
  return true;
}

static void constants_fold_to_what_runs(void **unused) {
  (void)unused;
  qn_cast_case c;
  for (size_t number = 0; qn_cast_case_at(number, &c); number++) {
    for (int i = 0; i < QN_CAST_INPUTS; i++) {
      qn_rt_value executed[QN_CAST_RESULTS], folded[QN_CAST_RESULTS];
      qn_cast_case_load(&c, qn_cast_inputs[i]);
      qn_cast_case_run(&c, NULL, executed);
      const qn_pass *passes[] = {&qn_pass_canonicalize};
      assert_int_equal(qn_pipeline_run(c.loaded, passes, 1, &(qn_pipeline_options){0}), QN_OK);
      assert_int_equal(qn_verify(c.loaded), QN_OK);
      qn_walk_pre(c.loaded->op, expect_no_arithmetic, NULL);
      qn_cast_case_run(&c, NULL, folded);
      assert_true(qn_cast_case_equal(executed, folded));
      qn_cast_case_unload(&c);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constants_fold_to_what_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
