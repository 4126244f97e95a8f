/* Quantized casts of every kind give the same bytes at the integer stage as at the model stage.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/verify/verify.h"
#include "lower/lower.h"
#include "tests/support/cast_case.h"

static void the_integer_stage_casts_alike(void **unused) {
  (void)unused;
  qn_cast_case c;
  for (size_t number = 0; qn_cast_case_at(number, &c); number++) {
    qn_rt_value before[QN_CAST_INPUTS][QN_CAST_RESULTS], after[QN_CAST_RESULTS];
    qn_cast_case_load(&c, NULL);
    for (int i = 0; i < QN_CAST_INPUTS; i++) qn_cast_case_run(&c, qn_cast_inputs[i], before[i]);
    const qn_pass *passes[] = {&qn_pass_lower_to_integer};
    assert_int_equal(qn_pipeline_run(c.loaded, passes, 1, &(qn_pipeline_options){0}), QN_OK);
    assert_int_equal(qn_verify(c.loaded), QN_OK);
    assert_int_equal(qn_verify_stage(c.loaded, QN_STAGE_INTEGER), QN_OK);
    for (int i = 0; i < QN_CAST_INPUTS; i++) {
      qn_cast_case_run(&c, qn_cast_inputs[i], after);
      assert_true(qn_cast_case_equal(before[i], after));
    }
    qn_cast_case_unload(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_integer_stage_casts_alike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
