/* A module with a function that has one op, for tests of single evaluators. Operands are ml.const
 * of stored values, and results are compared byte by byte.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_EVAL_ONE_OP_H
#define QN_TESTS_EVAL_ONE_OP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "eval/eval.h"
#include "ir/builder.h"

typedef struct one_op {
  qn_ir_context cx;
  qn_module *module;
  qn_op *func;
  qn_builder b;
  qn_arena arena;    /* memory of the evaluation */
  char message[512]; /* the last diagnostic */
} one_op;

static inline void one_op_diag(void *user, const qn_diag *diag) {
  one_op *t = user;
  snprintf(t->message, sizeof t->message, "%.*s", QN_STR_ARG(diag->text));
}

static inline void one_op_begin(one_op *t, const char *profile) {
  memset(t, 0, sizeof *t);
  qn_ir_context_init(&t->cx);
  t->cx.diag.handler = one_op_diag;
  t->cx.diag.user = t;
  qn_arena_init(&t->arena);
  t->module = qn_module_create(&t->cx, t->cx.diag.unknown);
  qn_op_set_attr(t->module, t->module->op, "quern.numerics",
                 qn_attr_string(&t->cx, qn_str_of(profile)));
  /* Float forms are tested, too. tests/unit/plan tests that they need opt_in. */
  qn_op_set_attr(t->module, t->module->op, "quern.fall_back", qn_attr_unit(&t->cx));
  t->b = qn_builder_at_end(t->module, qn_op_body(t->module->op), t->cx.diag.unknown);
  const qn_type *type = qn_type_function(&t->cx, NULL, 0, NULL, 0);
  t->func = qn_build_func(&t->b, qn_str_of("main"), type, NULL);
  t->b = qn_builder_at_end(t->module, qn_op_body(t->func), t->cx.diag.unknown);
}

static inline void one_op_end(one_op *t) {
  qn_module_destroy(t->module);
  qn_arena_deinit(&t->arena);
  qn_ir_context_deinit(&t->cx);
}

/* ---- types ---- */

/* A per-layer type with 8-bit storage. */
static inline const qn_type *one_op_quant(one_op *t, bool is_signed, double scale,
                                          int64_t zero_point) {
  qn_quant_uniform u = {.scheme = QN_PER_LAYER,
                        .is_signed = is_signed,
                        .storage = qn_type_i(&t->cx, 8),
                        .expressed = qn_type_float(&t->cx, QN_F32),
                        .count = 1,
                        .scales = &scale,
                        .zero_points = &zero_point};
  qn_storage_range(8, is_signed, &u.min, &u.max);
  return qn_type_uniform(&t->cx, &u);
}
/* A per-axis int8 type with zero points 0. */
static inline const qn_type *one_op_per_axis(one_op *t, int32_t axis, const double *scales,
                                             uint32_t count) {
  static const int64_t zeros[16] = {0};
  qn_quant_uniform u = {.scheme = QN_PER_AXIS,
                        .is_signed = true,
                        .storage = qn_type_i(&t->cx, 8),
                        .expressed = qn_type_float(&t->cx, QN_F32),
                        .min = -128,
                        .max = 127,
                        .axis = axis,
                        .count = count,
                        .scales = scales,
                        .zero_points = zeros};
  return qn_type_uniform(&t->cx, &u);
}
#define ONE_OP_SHAPE(...)                                                                          \
  (uint32_t)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (const int64_t[]) {        \
    __VA_ARGS__                                                                                    \
  }

/* ---- operands and attributes ---- */

static inline qn_value *one_op_const(one_op *t, const qn_type *element, uint32_t rank,
                                     const int64_t *dims, const void *values) {
  const qn_type *type = qn_type_tensor(&t->cx, element, rank, dims);
  size_t size = (size_t)qn_type_size(type);
  const qn_attr *value = qn_attr_dense(&t->cx, type, (qn_bytes){values, size}, false);
  return qn_build_1(&t->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}
static inline const qn_attr *one_op_i64(one_op *t, int64_t value) {
  return qn_attr_i64(&t->cx, value);
}
static inline const qn_attr *one_op_name(one_op *t, const char *text) {
  return qn_attr_string(&t->cx, qn_str_of(text));
}
#define ONE_OP_I64S(t, ...)                                                                        \
  qn_attr_i64s(&(t)->cx, (const int64_t[]){__VA_ARGS__},                                           \
               (uint32_t)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))

/* ---- running ---- */

static inline qn_status one_op_run(one_op *t, qn_value *const *results, uint32_t count,
                                   qn_rt_value *out_values) {
  qn_build_0(&t->b, QN_OP_FUNC_RETURN, results, count, NULL);
  return qn_eval_call(t->module, t->func, NULL, 0, out_values, &t->arena, NULL);
}

/* Evaluates the op, compares the stored bytes of its only result, and ends the test. */
static inline void one_op_expect(one_op *t, qn_value *result, const void *bytes, size_t size) {
  qn_rt_value value = {0};
  assert_int_equal(one_op_run(t, &result, 1, &value), QN_OK);
  assert_int_equal(value.size, size);
  assert_memory_equal(value.data, bytes, size);
  one_op_end(t);
}
/* Evaluates the op, expects an error with the text `part`, and ends the test. */
static inline void one_op_expect_error(one_op *t, qn_value *result, const char *part) {
  qn_rt_value value = {0};
  assert_int_not_equal(one_op_run(t, &result, 1, &value), QN_OK);
  if (!strstr(t->message, part)) fail_msg("'%s' does not contain '%s'", t->message, part);
  one_op_end(t);
}

#endif
