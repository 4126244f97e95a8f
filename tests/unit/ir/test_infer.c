/* Inferred shapes: every row of the table has a function or a reason why it has none, and ops built
 * with inferred shapes have the shapes that the verifier requires.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ir/ops/forms.h"
#include "ir/ops/infer/cost.h"
#include "ir/ops/infer/infer.h"
#include "ir/verify/verify.h"

typedef struct fixture {
  qn_ir_context cx;
  qn_module *module;
  qn_builder b;
  qn_op *func;
  uint32_t errors;
} fixture;

static void count(void *user, const qn_diag *diag) {
  (void)diag;
  ((fixture *)user)->errors++;
}

static const qn_type *tensor(fixture *f, uint32_t rank, const int64_t *dims) {
  return qn_type_tensor(&f->cx, qn_type_float(&f->cx, QN_F32), rank, dims);
}

static int setup(void **state) {
  static fixture f;
  memset(&f, 0, sizeof f);
  qn_ir_context_init(&f.cx);
  f.cx.diag.handler = count;
  f.cx.diag.user = &f;
  f.module = qn_module_create(&f.cx, f.cx.diag.unknown);
  qn_builder top = qn_builder_at_end(f.module, qn_op_body(f.module->op), f.cx.diag.unknown);
  const qn_type *inputs[] = {tensor(&f, 4, (const int64_t[]){2, 9, 7, 4}),
                             tensor(&f, 4, (const int64_t[]){6, 3, 3, 2})};
  f.func =
      qn_build_func(&top, qn_str_of("main"), qn_type_function(&f.cx, inputs, 2, NULL, 0), NULL);
  f.b = qn_builder_at_end(f.module, qn_op_body(f.func), f.cx.diag.unknown);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  qn_module_destroy(f->module);
  qn_ir_context_deinit(&f->cx);
  return 0;
}

static void every_row_infers_or_says_why_not(void **state) {
  (void)state;
  for (int kind = 0; kind < QN_OP_COUNT; kind++) {
    const qn_inference *inference = qn_inference_of((qn_op_kind)kind);
    assert_true((inference->shape != NULL) != (inference->none != NULL));
    if (inference->shape) assert_int_equal(qn_op_infos[kind].results, 1);
    if (inference->weights) assert_true(qn_op_infos[kind].operands >= 2);
  }
}

/* Every row of the table of costs has both costs, or reasons why it has none. */
static void every_row_has_a_cost_or_says_why_not(void **state) {
  (void)state;
  for (int kind = 0; kind < QN_OP_COUNT; kind++) {
    const qn_cost_record *cost = qn_cost_record_of((qn_op_kind)kind);
    assert_true((cost->macs != NULL) != (cost->no_macs != NULL));
    assert_true((cost->bytes != NULL) != (cost->no_bytes != NULL));
    if (qn_inference_of((qn_op_kind)kind)->weights) assert_non_null(cost->macs);
  }
}

static qn_value *build_conv(fixture *f, int64_t groups) {
  qn_value *x = qn_op_body(f->func)->args[0], *w = qn_op_body(f->func)->args[1];
  const qn_attr *strides = qn_attr_i64s(&f->cx, (const int64_t[]){2, 1}, 2),
                *pad = qn_attr_i64s(&f->cx, (const int64_t[]){1, 0, 2, 1}, 4),
                *dilations = qn_attr_i64s(&f->cx, (const int64_t[]){1, 2}, 2);
  return qn_build_inferred(&f->b, QN_OP_ML_CONV, qn_type_float(&f->cx, QN_F32), QN_VALUES(x, w),
                           QN_ATTRS({"strides", strides}, {"pad", pad}, {"dilations", dilations},
                                    {"groups", qn_attr_i64(&f->cx, groups)}));
}

/* Result: (9 + 1 - 3) / 2 + 1 = 4 rows, (7 + 3 - 5) / 1 + 1 = 6 columns. */
static void what_is_built_has_the_shape_that_follows(void **state) {
  fixture *f = *state;
  qn_value *y = build_conv(f, 2);
  assert_non_null(y);
  assert_ptr_equal(y->type, tensor(f, 4, (const int64_t[]){2, 4, 6, 6}));
  qn_cost cost = qn_op_cost(y->op);
  assert_int_equal(cost.macs, 2 * 4 * 6 * 6 * 3 * 3 * 2);
  assert_int_equal(cost.bytes, 4 * (2 * 9 * 7 * 4 + 6 * 3 * 3 * 2 + 2 * 4 * 6 * 6));
  qn_build_0(&f->b, QN_OP_FUNC_RETURN, NULL, 0, NULL);
  assert_int_equal(qn_verify(f->module), QN_OK);
}

static void nothing_is_built_where_nothing_follows(void **state) {
  fixture *f = *state;
  assert_null(build_conv(f, 3));
  assert_int_equal(f->errors, 1);
  assert_null(qn_op_body(f->func)->first);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_infers_or_says_why_not),
      cmocka_unit_test(every_row_has_a_cost_or_says_why_not),
      cmocka_unit_test_setup_teardown(what_is_built_has_the_shape_that_follows, setup, teardown),
      cmocka_unit_test_setup_teardown(nothing_is_built_where_nothing_follows, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
