/* 8-bit ADD: the number of elements to which the kernels of a profile apply each rounding.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/import_test.h"

enum { ROUNDINGS = 3 };

typedef struct sum_case {
  uint8_t type;
  qn_tfb_list a, b, y;
  int64_t elements[ROUNDINGS]; /* of the result, by rounding of terms */
} sum_case;

static void expect(const sum_case *c, bool optimized, bool swapped) {
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", c->type, swapped ? c->b : c->a, 0.5f, 3);
  int32_t z = qn_tfb_q8(b, "z", c->type, swapped ? c->a : c->b, 0.75f, 4);
  int32_t y = qn_tfb_q8(b, "y", c->type, c->y, 1.0f, 5);
  qn_tfb_op(b, QN_TFB_ADD, 2, QN_TFB_LIST(x, z), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x, z), QN_TFB_LIST(y));
  import_run run;
  import_bytes(&run, qn_tfb_finish(b),
               &(qn_import_options){.numerics = qn_str_of(optimized ? "litert-opt" : "tflm")});
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  int64_t elements[ROUNDINGS] = {0}, all = 0;
  for (const qn_op *op = qn_op_body(import_main(&run))->first; op; op = op->next)
    if (op->kind == QN_OP_ML_ADD)
      elements[qn_op_term_rounding(op)] += qn_type_elements(op->results[0].type);
  for (int i = 0; i < ROUNDINGS; i++) all += c->elements[i];
  for (int i = 0; i < ROUNDINGS; i++)
    assert_int_equal(elements[i], optimized ? c->elements[i] : i == QN_TERM_DOUBLE ? all : 0);
  import_end(&run);
  qn_tfb_destroy(b);
}

static void test_groups(void **state) {
  (void)state;
  const sum_case cases[] = {
      /* One kernel call computes all elements. */
      {QN_TFB_INT8,
       QN_TFB_SHAPE(2, 8, 16),
       QN_TFB_SHAPE(2, 8, 16),
       QN_TFB_SHAPE(2, 8, 16),
       {0, 256, 0}},
      {QN_TFB_INT8,
       QN_TFB_SHAPE(2, 5, 37),
       QN_TFB_SHAPE(2, 5, 37),
       QN_TFB_SHAPE(2, 5, 37),
       {2, 368, 0}},
      {QN_TFB_INT8, QN_TFB_SHAPE(15), QN_TFB_SHAPE(15), QN_TFB_SHAPE(15), {15, 0, 0}},
      {QN_TFB_INT8, QN_TFB_SHAPE(1, 40), QN_TFB_SHAPE(40), QN_TFB_SHAPE(1, 40), {8, 32, 0}},
      {QN_TFB_UINT8, QN_TFB_SHAPE(21), QN_TFB_SHAPE(21), QN_TFB_SHAPE(21), {5, 0, 16}},
      /* One kernel call per index of the dimensions that only one operand has. */
      {QN_TFB_INT8, QN_TFB_SHAPE(3, 40), QN_TFB_SHAPE(40), QN_TFB_SHAPE(3, 40), {24, 96, 0}},
      {QN_TFB_INT8,
       QN_TFB_SHAPE(2, 3, 1, 17),
       QN_TFB_SHAPE(2, 3, 5, 17),
       QN_TFB_SHAPE(2, 3, 5, 17),
       {30, 480, 0}},
      {QN_TFB_UINT8, QN_TFB_SHAPE(3, 12), QN_TFB_SHAPE(12), QN_TFB_SHAPE(3, 12), {12, 0, 24}},
      /* Each call adds one element of an operand to several of the other. */
      {QN_TFB_INT8, QN_TFB_SHAPE(1), QN_TFB_SHAPE(2, 3, 13), QN_TFB_SHAPE(2, 3, 13), {6, 0, 72}},
      {QN_TFB_INT8,
       QN_TFB_SHAPE(1, 1, 1, 20),
       QN_TFB_SHAPE(2, 7, 9, 1),
       QN_TFB_SHAPE(2, 7, 9, 20),
       {504, 0, 2016}},
      {QN_TFB_UINT8, QN_TFB_SHAPE(2, 9), QN_TFB_SHAPE(2, 1), QN_TFB_SHAPE(2, 9), {2, 0, 16}},
      /* A broadcast that is not a nest of five loops. */
      {QN_TFB_INT8,
       QN_TFB_SHAPE(3, 1, 50),
       QN_TFB_SHAPE(1, 4, 1),
       QN_TFB_SHAPE(3, 4, 50),
       {600, 0, 0}},
  };
  for (size_t i = 0; i < QN_COUNT(cases); i++)
    for (int way = 0; way < 4; way++) expect(&cases[i], way & 1, way & 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
