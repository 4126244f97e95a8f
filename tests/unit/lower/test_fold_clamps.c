/* fold-clamps: which tables go into the bounds of the op before them, and that the results for all
 * 256 bytes stay the same.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ir/op_attrs.h"
#include "lower/lower.h"
#include "tests/unit/lower/module_case.h"

enum { BYTES = 256 };

static void run_pass(module_case *f, bool keep_tensors) {
  const qn_lower_config config = {.keep_tensors = keep_tensors};
  const qn_pass *passes[] = {&qn_pass_fold_clamps};
  const qn_pipeline_options options = {.config = &config, .verify_each = true};
  assert_int_equal(qn_pipeline_run(f->module, passes, 1, &options), QN_OK);
}

/* The only op of a kind in @main; NULL if there is none. */
static qn_op *find(const module_case *f, qn_op_kind kind) {
  for (qn_op *op = qn_op_body(qn_module_main(f->module))->first; op; op = op->next)
    if (op->kind == kind) return op;
  return NULL;
}

/* ---- the model: a maximum of one element each, with bounds, and a table ---- */

typedef int function(int x, int low, int high);

static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
/* One entry differs, 5. */
static int nearly(int x, int low, int high) { return x == 5 ? 4 : clamp(x, low, high); }
static int constant(int x, int low, int high) { return (void)x, (void)low, high; }
static int falling(int x, int low, int high) { return (void)low, (void)high, -1 - x; }
/* A clamp within the bounds, anything else outside of them. */
static int within(int x, int low, int high) { return x < low || x > high ? 77 : x; }

typedef struct model {
  const char *type, *result; /* element types of the maximum and of the table's entries */
  int min, max, low, high;
  function *f;
  const char *after; /* what follows the table, up to the return */
} model;

/* %x has every byte once, in order. */
static void parse(module_case *c, const model *m) {
  qn_text t = {0};
  qn_text_format(&t,
                 "func.func @main(%%x: tensor<1x16x16x1x%s>) -> tensor<1x16x16x1x%s> {\n"
                 "%%t = \"ml.const\"() {value = dense<\"0x",
                 m->type, m->result);
  for (int byte = 0; byte < BYTES; byte++) {
    int x = m->type[0] == 'u' ? byte : (int8_t)byte;
    qn_text_format(&t, "%02X", (unsigned)m->f(x, m->low, m->high) & 0xFF);
  }
  qn_text_format(&t,
                 "\"> : tensor<256x%s>} : () -> tensor<256x%s>\n"
                 "%%p = \"ml.integer_max_pool\"(%%x) {kernel_sizes = array<i64: 1, 1>, strides = "
                 "array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, min = %d : i64, max = %d : i64, "
                 "quern.tensors = array<i64: 3>} : (tensor<1x16x16x1x%s>) -> tensor<1x16x16x1x%s>\n"
                 "%%y = \"ml.lut\"(%%p, %%t) {quern.tensors = array<i64: 4>} : "
                 "(tensor<1x16x16x1x%s>, tensor<256x%s>) -> tensor<1x16x16x1x%s>\n"
                 "%sfunc.return %%y : tensor<1x16x16x1x%s>\n}\n",
                 m->result, m->result, m->min, m->max, m->type, m->type, m->type, m->result,
                 m->result, m->after ? m->after : "", m->result);
  module_parse(c, (qn_str){t.data, t.size});
  qn_text_deinit(&t);
}

static const uint8_t *evaluate(module_case *c) {
  const qn_op *func = qn_module_main(c->module);
  uint8_t all[BYTES];
  for (int i = 0; i < BYTES; i++) all[i] = (uint8_t)i;
  qn_rt_value x = {.type = qn_op_body(func)->args[0]->type, .data = all, .size = BYTES};
  qn_rt_value *y = QN_NEW(&c->arena, qn_rt_value);
  assert_int_equal(qn_eval_call(c->module, func, &x, 1, y, &c->arena, NULL), QN_OK);
  return y->data;
}

/* Runs the pass, and compares the results before and after it. */
static void check(const model *m, bool folds) {
  module_case c;
  parse(&c, m);
  const uint8_t *before = evaluate(&c);
  run_pass(&c, false);
  assert_memory_equal(evaluate(&c), before, BYTES);
  const qn_op *pool = find(&c, QN_OP_ML_INTEGER_MAX_POOL);
  assert_int_equal(!find(&c, QN_OP_ML_LUT), folds);
  if (!folds) {
    assert_int_equal(qn_op_min(pool), m->min);
    assert_int_equal(qn_op_max(pool), m->max);
  }
  module_finish(&c);
}

/* ---- tests ---- */

static void bounds_become_those_of_the_table(void **unused) {
  (void)unused;
  const model m = {"i8", "i8", -128, 100, -3, 64, clamp, NULL};
  module_case c;
  parse(&c, &m);
  const uint8_t *before = evaluate(&c);
  run_pass(&c, false);
  const qn_op *pool = find(&c, QN_OP_ML_INTEGER_MAX_POOL);
  assert_null(find(&c, QN_OP_ML_LUT));
  assert_int_equal(qn_op_min(pool), -3);
  assert_int_equal(qn_op_max(pool), 64);
  assert_int_equal(qn_op_read_i64s(pool, QN_A_TENSORS).count, 1);
  assert_int_equal(qn_op_read_i64s(pool, QN_A_TENSORS).data[0], 4);
  assert_memory_equal(evaluate(&c), before, BYTES);
  module_finish(&c);
}

static void random_clamps_fold(void **unused) {
  (void)unused;
  uint32_t random = 5;
  for (int i = 0; i < 400; i++) {
    int ends[4], least = i % 2 ? 0 : -128;
    for (int k = 0; k < 4; k++) {
      random = random * 1664525u + 1013904223u;
      ends[k] = least + (int)(random >> 24);
    }
    const char *type = i % 2 ? "ui8" : "i8";
    model m = {type, type, ends[0], ends[1], ends[2], ends[3], clamp, NULL};
    if (m.min > m.max) m.min = ends[1], m.max = ends[0];
    if (m.low > m.high) m.low = ends[3], m.high = ends[2];
    check(&m, true);
  }
}

/* An identity is a clamp to the old bounds. */
static void identities_and_constants_fold(void **unused) {
  (void)unused;
  check(&(model){"i8", "i8", -128, 127, -128, 127, clamp, NULL}, true);
  check(&(model){"i8", "i8", -128, 127, 0, 17, constant, NULL}, true);
  check(&(model){"ui8", "ui8", 10, 20, 0, 0, constant, NULL}, true);
  check(&(model){"i8", "i8", 9, 9, 0, 0, falling, NULL}, true);
}

static void entries_outside_of_the_bounds_do_not_count(void **unused) {
  (void)unused;
  check(&(model){"i8", "i8", -20, 60, -20, 60, within, NULL}, true);
  check(&(model){"i8", "i8", -20, 61, -20, 60, within, NULL}, false);
  check(&(model){"i8", "i8", 6, 60, 8, 60, nearly, NULL}, true);
}

static void other_tables_stay(void **unused) {
  (void)unused;
  check(&(model){"i8", "i8", -128, 127, -3, 64, nearly, NULL}, false);
  check(&(model){"i8", "i8", -128, 127, 0, 0, falling, NULL}, false);
  check(&(model){"i8", "i8", 9, 10, 0, 0, falling, NULL}, false);
  check(&(model){"i8", "ui8", -128, 127, 0, 100, clamp, NULL}, false);
}

static void results_with_another_reader_stay(void **unused) {
  (void)unused;
  check(&(model){"i8", "i8", -128, 127, -3, 64, clamp,
                 "%z = \"ml.lut\"(%p, %t) : (tensor<1x16x16x1xi8>, tensor<256xi8>) -> "
                 "tensor<1x16x16x1xi8>\n"},
        false);
}

static void kept_tensors_stay(void **unused) {
  (void)unused;
  module_case c;
  parse(&c, &(model){"i8", "i8", -128, 127, -3, 64, clamp, NULL});
  run_pass(&c, true);
  assert_non_null(find(&c, QN_OP_ML_LUT));
  assert_int_equal(qn_op_max(find(&c, QN_OP_ML_INTEGER_MAX_POOL)), 127);
  module_finish(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_become_those_of_the_table),
      cmocka_unit_test(random_clamps_fold),
      cmocka_unit_test(identities_and_constants_fold),
      cmocka_unit_test(entries_outside_of_the_bounds_do_not_count),
      cmocka_unit_test(other_tables_stay),
      cmocka_unit_test(results_with_another_reader_stay),
      cmocka_unit_test(kept_tensors_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
