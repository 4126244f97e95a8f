/* Dot products built from their records, run by the interpreter and compared with plain sums.
 * Records that contradict their op end the process.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "eval/eval.h"
#include "lower/loops/products.h"
#include "lower/loops/vec.h"
#include "tests/support/aborts.h"

enum { QUAD = 4, MOST_LANES = 16, BYTES = QUAD * MOST_LANES, FACTORS = 2 };

/* All records of products of bytes. */
static const qn_dot *const dots[] = {&qn_dot_saturating, &qn_dot_groups_of_pairs, &qn_dot_groups,
                                     &qn_dot_unsigned,   &qn_dot_signed,          &qn_dot_mixed,
                                     &qn_dot_scalar};

typedef struct sums {
  const qn_dot *dot;
  int64_t lanes;
  bool x_unsigned;
  uint32_t factors; /* quads per product, whose sums are in 16 bits if the record says so; 0:
                       single bytes */
} sums;

/* The quad of x that is factor f of result q. */
static int64_t quad_of(const sums *s, int64_t q, uint32_t f) { return (q + f) % s->lanes; }

/* acc + the products of single bytes from x[q] on. */
static qn_value *build_single(qn_builder *b, const sums *s, qn_value *acc, qn_value *const *args,
                              int64_t q) {
  qn_value *zero = qn_build_index(b, 0);
  qn_value *x = qn_vec_load(b, args[0], zero, q, s->lanes);
  qn_value *w = qn_vec_load(b, args[1], zero, 0, s->lanes);
  if (qn_dot_widens(s->dot))
    x = qn_vec_cast(b, s->x_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, x,
                    qn_type_i(b->cx, 16));
  return qn_dot_build_single(b, s->dot, acc, x, w, s->x_unsigned);
}

/* @main(x, w, acc, y): for each quad q of x, y[q] = acc + products with w, lane by lane. */
static qn_op *build(qn_module *module, const sums *s) {
  qn_ir_context *cx = module->cx;
  const qn_type *i8 = qn_type_i(cx, 8), *i32 = qn_type_i(cx, 32);
  const qn_type *types[] = {qn_type_buf(cx, i8, BYTES), qn_type_buf(cx, i8, FACTORS * BYTES),
                            qn_type_buf(cx, i32, MOST_LANES),
                            qn_type_buf(cx, i32, MOST_LANES * MOST_LANES)};
  qn_builder b = qn_builder_at_end(module, qn_op_body(module->op), cx->diag.unknown);
  qn_op *func = qn_build_func(&b, qn_str_of("main"), qn_type_function(cx, types, 4, NULL, 0), NULL);
  qn_value *const *args = qn_op_body(func)->args;
  b = qn_builder_at_end(module, qn_op_body(func), cx->diag.unknown);
  qn_value *zero = qn_build_index(&b, 0);
  qn_value *quads = qn_vec_load(&b, args[0], zero, 0, QUAD * s->lanes);
  quads = qn_vec_bitcast(&b, quads, i32);
  qn_value *acc = qn_vec_load(&b, args[2], zero, 0, s->lanes);
  for (int64_t q = 0; q < s->lanes; q++) {
    qn_factors factors[FACTORS];
    if (s->factors == 0) {
      qn_vec_store(&b, build_single(&b, s, acc, args, q), args[3], zero, q * s->lanes);
      continue;
    }
    for (uint32_t f = 0; f < s->factors; f++) {
      factors[f].x = qn_dot_spread(&b, s->dot, quads, quad_of(s, q, f), s->lanes);
      factors[f].w = qn_vec_load(&b, args[1], zero, f * BYTES, QUAD * s->lanes);
    }
    qn_value *y = qn_dot_build(&b, s->dot, acc, factors, s->factors, s->x_unsigned);
    qn_vec_store(&b, y, args[3], zero, q * s->lanes);
  }
  qn_build_0(&b, QN_OP_FUNC_RETURN, NULL, 0, NULL);
  return func;
}

/* The index of weight i of a lane in a vector of weights. */
static int64_t place(const sums *s, int64_t lane, int64_t i) {
  int64_t run = qn_dot_run(s->dot);
  return (i / run * s->lanes + lane) * run + i % run;
}

static int32_t expected(const sums *s, const uint8_t *x, const int8_t *w, int32_t acc, int64_t q,
                        int64_t lane) {
  if (s->factors == 0) {
    uint8_t byte = x[q + lane];
    return acc + (s->x_unsigned ? byte : (int8_t)byte) * w[lane];
  }
  for (uint32_t f = 0; f < s->factors; f++)
    for (int64_t i = 0; i < QUAD; i++) {
      uint8_t byte = x[QUAD * quad_of(s, q, f) + i];
      acc += (s->x_unsigned ? byte : (int8_t)byte) * w[f * BYTES + place(s, lane, i)];
    }
  return acc;
}

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525U + 1013904223U;
  return *state >> 8;
}

/* Weights are random if sums have 32 bits. If they have 16 bits, weights are limited so that all
 * sums fit. */
static void check(const sums *s, uint32_t *seed) {
  uint8_t x[BYTES];
  int8_t w[FACTORS * BYTES];
  int32_t acc[MOST_LANES], y[MOST_LANES * MOST_LANES];
  const int32_t most = s->dot->sum_bits == 16 ? INT16_MAX / (FACTORS * QUAD * 256) : INT8_MAX;
  for (int i = 0; i < BYTES; i++) {
    uint32_t r = next_random(seed);
    x[i] = (uint8_t)(r % 4 == 0 ? 0x80 : r % 4 == 1 ? 0x7f : r % 4 == 2 ? 0xff : r >> 2);
  }
  for (int i = 0; i < FACTORS * BYTES; i++)
    w[i] = (int8_t)((int32_t)(next_random(seed) % (uint32_t)(2 * most + 1)) - most);
  for (int i = 0; i < MOST_LANES; i++) acc[i] = (int32_t)(next_random(seed) % 2000) - 1000;
  qn_ir_context cx;
  qn_ir_context_init(&cx);
  qn_arena arena;
  qn_arena_init(&arena);
  qn_module *module = qn_module_create(&cx, cx.diag.unknown);
  qn_op *func = build(module, s);
  qn_value *const *formal = qn_op_body(func)->args;
  const qn_rt_value args[] = {{.type = formal[0]->type, .data = x, .size = sizeof x},
                              {.type = formal[1]->type, .data = (uint8_t *)w, .size = sizeof w},
                              {.type = formal[2]->type, .data = (uint8_t *)acc, .size = sizeof acc},
                              {.type = formal[3]->type, .data = (uint8_t *)y, .size = sizeof y}};
  assert_int_equal(qn_eval_call(module, func, args, QN_COUNT(args), NULL, &arena, NULL), QN_OK);
  for (int64_t q = 0; q < s->lanes; q++)
    for (int64_t l = 0; l < s->lanes; l++)
      assert_int_equal(y[q * s->lanes + l], expected(s, x, w, acc[l], q, l));
  qn_module_destroy(module);
  qn_arena_deinit(&arena);
  qn_ir_context_deinit(&cx);
}

static void all_rows_multiply(void **unused) {
  (void)unused;
  uint32_t seed = 1;
  for (size_t d = 0; d < QN_COUNT(dots); d++)
    for (int64_t lanes = 4; lanes <= MOST_LANES; lanes *= 2)
      for (int sign = 0; sign < 2; sign++)
        for (uint32_t factors = 1; factors <= FACTORS; factors++) {
          if (!qn_dot_takes(dots[d], sign)) continue;
          check(&(sums){dots[d], lanes, sign, factors}, &seed);
        }
}

static void single_bytes_multiply(void **unused) {
  (void)unused;
  const qn_dot *const singles[] = {&qn_dot_singles, &qn_dot_scalar_singles};
  uint32_t seed = 2;
  for (size_t d = 0; d < QN_COUNT(singles); d++)
    for (int64_t lanes = 4; lanes <= MOST_LANES; lanes *= 2)
      for (int sign = 0; sign < 2; sign++) check(&(sums){singles[d], lanes, sign, 0}, &seed);
}

/* ---- records that are rejected ---- */

static void build_one(void *user) {
  qn_ir_context cx;
  qn_ir_context_init(&cx);
  (void)build(qn_module_create(&cx, cx.diag.unknown), user);
}

/* Whether building ends the process by an assertion. */
static bool is_caught(const qn_dot *dot, bool x_unsigned) {
  return qn_test_aborts(build_one, &(sums){dot, 4, x_unsigned, 1}, "");
}

static void bytes_that_a_row_does_not_take_are_caught(void **unused) {
  (void)unused;
  for (size_t d = 0; d < QN_COUNT(dots); d++)
    for (int sign = 0; sign < 2; sign++)
      assert_int_equal(is_caught(dots[d], sign), !qn_dot_takes(dots[d], sign));
}

/* Records with a signedness that their op does not have. */
static void rows_with_wrong_signs_are_caught(void **unused) {
  (void)unused;
  qn_dot saturating = qn_dot_saturating, groups = qn_dot_groups, pairs = qn_dot_groups_of_pairs;
  saturating.x = QN_TAKES_BOTH;
  groups.x = pairs.x = QN_TAKES_BOTH;
  assert_true(is_caught(&saturating, false) && !is_caught(&saturating, true));
  assert_true(is_caught(&groups, true) && !is_caught(&groups, false));
  assert_true(is_caught(&pairs, true) && !is_caught(&pairs, false));
}

/* Records with sums that are not those of their op. */
static void rows_with_wrong_sums_are_caught(void **unused) {
  (void)unused;
  qn_dot unsaturated = qn_dot_saturating, narrow = qn_dot_signed, wide = qn_dot_groups;
  unsaturated.saturates = false;
  narrow.sum_bits = 16;
  wide.sum_bits = 32;
  assert_true(is_caught(&unsaturated, true));
  assert_true(is_caught(&narrow, false));
  assert_true(is_caught(&wide, false));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_rows_multiply),
      cmocka_unit_test(single_bytes_multiply),
      cmocka_unit_test(bytes_that_a_row_does_not_take_are_caught),
      cmocka_unit_test(rows_with_wrong_signs_are_caught),
      cmocka_unit_test(rows_with_wrong_sums_are_caught),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
