/* Random products of two byte tensors: broadcast batches, columns of y along either dimension,
 * constants, and adjacent elementwise ops that are fused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "elementwise.h"

#include "quant/multiplier.h"

enum { MAX_BATCHES = 3 };

typedef struct product {
  uint32_t batch_rank, x_rank, y_rank;
  int64_t batches[MAX_BATCHES], x[MAX_BATCHES + 2], y[MAX_BATCHES + 2], z[MAX_BATCHES + 2];
  bool transposed;
} product;

/* Draws batch dimensions of an operand from those of the result: some are 1, leading ones may be
 * missing. */
static uint32_t random_batches(maker *m, const product *p, int64_t *out_dims) {
  uint32_t skipped = maker_chance(m, 30) ? (uint32_t)maker_range(m, 0, p->batch_rank) : 0;
  uint32_t rank = 0;
  for (uint32_t i = skipped; i < p->batch_rank; i++)
    out_dims[rank++] = maker_chance(m, 20) ? 1 : p->batches[i];
  return rank;
}

static product random_product(maker *m) {
  product p = {.batch_rank = (uint32_t)maker_range(m, 0, MAX_BATCHES),
               .transposed = maker_chance(m, 50)};
  for (uint32_t i = 0; i < p.batch_rank; i++) p.batches[i] = maker_range(m, 1, 3);
  int64_t rows = maker_range(m, 1, 40), columns = maker_range(m, 1, 90);
  int64_t depth = maker_chance(m, 20) ? maker_range(m, 1, 5) : maker_range(m, 6, 150);
  p.x_rank = random_batches(m, &p, p.x);
  p.y_rank = random_batches(m, &p, p.y);
  uint32_t rank = p.x_rank > p.y_rank ? p.x_rank : p.y_rank;
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t of_x = rank - p.x_rank, of_y = rank - p.y_rank;
    int64_t a = i < of_x ? 1 : p.x[i - of_x], b = i < of_y ? 1 : p.y[i - of_y];
    p.z[i] = a == 1 ? b : a;
  }
  p.z[rank] = p.x[p.x_rank++] = rows;
  p.x[p.x_rank++] = depth;
  p.y[p.y_rank++] = p.transposed ? columns : depth;
  p.y[p.y_rank++] = p.transposed ? depth : columns;
  p.z[rank + 1] = columns;
  p.batch_rank = rank;
  return p;
}

static int64_t random_zero_point(maker *m, const qn_type *type) {
  int64_t lowest = qn_type_is_unsigned(qn_type_element(type)) ? 0 : -128;
  if (maker_chance(m, 30)) return 0;
  return maker_chance(m, 30) ? lowest + 255 * maker_range(m, 0, 1)
                             : maker_range(m, lowest, lowest + 255);
}

static qn_value *build(maker *m, const product *p, qn_value *x, qn_value *y, const qn_type *type) {
  bool is_unsigned = qn_type_is_unsigned(qn_type_element(type));
  qn_multiplier q = qn_multiplier_of(maker_scale(m, 1e-5, maker_chance(m, 10) ? 3.0 : 0.01));
  int64_t min = is_unsigned ? 0 : -128, max = min + 255;
  if (maker_chance(m, 30)) min += maker_range(m, 0, 100);
  if (maker_chance(m, 30)) max -= maker_range(m, 0, 100);
  int64_t zx = random_zero_point(m, x->type), zy = random_zero_point(m, y->type);
  int64_t z = random_zero_point(m, type);
  qn_value *result =
      maker_op(m, QN_OP_ML_INTEGER_MATMUL, type, QN_VALUES(x, y),
               QN_ATTRS({"a_zero_point", maker_i64(m, zx)}, {"b_zero_point", maker_i64(m, zy)},
                        {"multiplier", maker_i64(m, q.mantissa)}, {"shift", maker_i64(m, q.shift)},
                        {"output_zero_point", maker_i64(m, z)}, {"min", maker_i64(m, min)},
                        {"max", maker_i64(m, max)}));
  if (p->transposed)
    qn_op_set_attr(m->module, result->op, "transpose_y", qn_attr_bool(m->cx, true));
  return result;
}

void case_matmul(maker *m) {
  product p = random_product(m);
  const qn_type *of_x = maker_byte(m, maker_chance(m, 40));
  const qn_type *of_y = maker_byte(m, maker_chance(m, 30));
  const qn_type *of_z = maker_byte(m, maker_chance(m, 30));
  qn_value *x = maker_input(m, maker_tensor(m, of_x, p.x_rank, p.x));
  const qn_type *type = maker_tensor(m, of_y, p.y_rank, p.y);
  qn_value *y = maker_chance(m, 30) ? maker_const_random(m, type) : maker_input(m, type);
  if (maker_chance(m, 40)) x = elementwise_lut(m, x, x->type);
  if (maker_chance(m, 40)) y = elementwise_lut(m, y, y->type);
  const qn_type *result = maker_tensor(m, of_z, p.batch_rank + 2, p.z);
  qn_value *z = build(m, &p, x, y, result);
  if (maker_chance(m, 30)) {
    const qn_type *sum = maker_tensor(m, maker_byte(m, maker_chance(m, 30)), p.batch_rank + 2, p.z);
    qn_value *other = maker_input(m, result);
    z = elementwise_add(m, z, other, sum, maker_chance(m, 50));
  }
  if (maker_chance(m, 30)) z = elementwise_lut(m, z, z->type);
  maker_return(m, &z, 1);
}
