/* Recipes of ops with states, whose states are operands and results like any other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "tests/support/recipes.h"

enum { GATES = 4 };

/* int8 in any model: these ops have no uint8. */
static const qn_type *activation8(qn_random_model *m, uint32_t rank, const int64_t *dims) {
  return qn_random_signed(m, 8, qn_random_real(m, 0.002, 0.2), qn_random_between(m, -128, 127),
                          rank, dims);
}

static qn_value *weights(qn_random_model *m, uint32_t width, int64_t rows, int64_t columns) {
  const int64_t dims[] = {rows, columns};
  const qn_type *type = qn_random_signed(m, width, qn_random_real(m, 0.001, 0.05), 0, 2, dims);
  size_t size = (size_t)(rows * columns) * (width / 8);
  if (qn_random_is_variable(m)) return qn_random_input(m, type);
  uint8_t *bytes = QN_NEW_ARRAY(&m->cx.arena, size + 1, uint8_t);
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)qn_choose(&m->choices, 256);
  return qn_random_const(m, type, bytes, size);
}

static bool has_room(const qn_random_model *m, uint32_t arguments) {
  return qn_op_body(m->func)->arg_count + arguments <= QN_RANDOM_MAX_ARGS;
}

static void build(qn_random_model *m, qn_op_kind kind, qn_value *const *operands, uint32_t count,
                  const qn_type *const *types, uint32_t results, const qn_named_attr *attrs,
                  uint32_t attr_count) {
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = kind,
                                            .operands = operands,
                                            .operand_count = count,
                                            .result_types = types,
                                            .result_count = results,
                                            .attrs = attrs,
                                            .attr_count = attr_count});
  for (uint32_t i = results; i-- > 0;) qn_pool_add(m, qn_op_result(op, i));
}

bool qn_make_svdf(qn_random_model *m, qn_op_kind kind) {
  if (!has_room(m, 2)) return false;
  int64_t batch = qn_random_between(m, 1, 2), depth = qn_random_between(m, 1, 20),
          rank = qn_random_between(m, 1, 3), units = qn_random_between(m, 1, 9),
          memory = qn_random_between(m, 1, 9);
  uint32_t width = qn_random_chance(m, 2) ? 8 : 16;
  int64_t zero = width == 8 ? qn_random_between(m, -128, 127) : 0;
  const qn_type *types[] = {activation8(m, 2, (int64_t[]){batch, units}),
                            qn_random_signed(m, width,
                                             qn_random_real(m, width == 8 ? 0.01 : 0.0001, 0.5),
                                             zero, 2, (int64_t[]){batch, units * rank * memory})};
  qn_value *operands[5];
  operands[0] = qn_random_input(m, activation8(m, 2, (int64_t[]){batch, depth}));
  operands[1] = qn_random_input(m, types[1]);
  operands[2] = weights(m, 8, units * rank, depth);
  operands[3] = weights(m, width, units * rank, memory);
  operands[4] = qn_random_bias32(m, units);
  build(m, kind, operands, qn_random_chance(m, 4) ? 4 : 5, types, 2, NULL, 0);
  return true;
}

bool qn_make_lstm(qn_random_model *m, qn_op_kind kind) {
  if (!has_room(m, 3)) return false;
  int64_t batch = qn_random_between(m, 1, 2), time = qn_random_between(m, 1, 3),
          depth = qn_random_between(m, 1, 12), units = qn_random_between(m, 1, 11);
  bool major = qn_random_chance(m, 3);
  int64_t outer = major ? time : batch, inner = major ? batch : time;
  const int64_t state[] = {batch, units};
  double scale = qn_random_real(m, 0.005, 0.01);
  int64_t zero = qn_random_between(m, -30, 30);
  const qn_type *types[] = {
      qn_random_signed(m, 8, scale, zero, 3, (int64_t[]){outer, inner, units}),
      qn_random_signed(m, 8, scale, zero, 2, state),
      qn_random_signed(m, 16, ldexp(1, (int)qn_random_between(m, -15, -9)), 0, 2, state)};
  qn_value *operands[3 + 3 * GATES];
  operands[0] = qn_random_input(m, activation8(m, 3, (int64_t[]){outer, inner, depth}));
  operands[1] = qn_random_input(m, types[1]);
  operands[2] = qn_random_input(m, types[2]);
  for (int g = 0; g < GATES; g++) {
    operands[3 + g] = weights(m, 8, units, depth);
    operands[3 + GATES + g] = weights(m, 8, units, units);
    operands[3 + 2 * GATES + g] = qn_random_bias32(m, units);
  }
  const qn_attr *clip =
      qn_attr_float(&m->cx, qn_random_chance(m, 2) ? 0.9 : 10.0, qn_type_float(&m->cx, QN_F32));
  const qn_named_attr attrs[] = {{qn_str_of("time_major"), qn_attr_bool(&m->cx, major)},
                                 {qn_str_of("cell_clip"), clip}};
  build(m, kind, operands, QN_COUNT(operands), types, 3, attrs, qn_random_chance(m, 3) ? 1 : 2);
  return true;
}
