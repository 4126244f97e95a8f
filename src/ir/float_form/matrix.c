/* Float forms of convolutions and matrix products in f64: a tensor of biases, or zeros, to which
 * one linalg.generic adds all products, taps in row-major order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/fixed.h"
#include "ir/ops/infer/matmul.h"

/* What the sums start with: the bias of the last dimension's channel. */
static qn_value *initial_sums(qn_form *f) {
  const qn_type *type = qn_form_result_type(f);
  if (f->op->operand_count < 3) return qn_form_fill(f, type, 0.0);
  uint32_t rank = type->shaped.rank;
  qn_form_access bias = {.value = qn_form_bias(f), .at = {qn_form_dim(f, rank - 1)}};
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, rank, 0, &bias, 1, &output);
  return qn_form_close(f, generic, qn_form_element(generic, 0));
}

/* The loops of the result's dimensions come first, then `reduced` more. */
static qn_value *product_sums(qn_form *f, const qn_form_access inputs[2], uint32_t reduced) {
  qn_form_access sums = qn_form_whole(f, initial_sums(f));
  uint32_t rank = sums.value->type->shaped.rank;
  uint64_t reductions = ((UINT64_C(1) << reduced) - 1) << rank;
  qn_op *generic = qn_form_open(f, rank + reduced, reductions, inputs, 2, &sums);
  qn_value *product = qn_build_binary(f->b, QN_OP_ARITH_MULF, qn_form_element(generic, 0),
                                      qn_form_element(generic, 1));
  qn_value *sum = qn_build_binary(f->b, QN_OP_ARITH_ADDF, qn_form_element(generic, 2), product);
  return qn_form_activated(f, qn_form_close(f, generic, sum));
}

/* Loops of a convolution: the result's n, y, x, channel, then the taps' row, column, input channel.
 */
enum { BATCH, ROW, COLUMN, CHANNEL, TAP_ROW, TAP_COLUMN, TAP_CHANNEL };

static const qn_affine_expr *tap_at(const qn_form *f, int64_t out, int64_t tap, uint32_t spatial,
                                    int64_t first) {
  int64_t stride = qn_op_strides(f->op).data[spatial];
  int64_t dilation = qn_op_dilations(f->op).data[spatial];
  const qn_affine_expr *at =
      qn_affine_add(f->cx, qn_affine_scaled(f->cx, qn_form_dim(f, out), stride),
                    qn_affine_scaled(f->cx, qn_form_dim(f, tap), dilation));
  return qn_affine_add(f->cx, at, qn_affine_const(f->cx, first));
}

static qn_form_access taps_of_input(qn_form *f, const qn_affine_expr *channel) {
  int64_t first[2];
  qn_value *x = qn_form_padded(f, qn_form_operand(f, 0), 0.0, first);
  return (qn_form_access){.value = x,
                          .at = {qn_form_dim(f, BATCH), tap_at(f, ROW, TAP_ROW, 0, first[0]),
                                 tap_at(f, COLUMN, TAP_COLUMN, 1, first[1]), channel}};
}

static qn_value *build_conv(qn_form *f) {
  const qn_type *weights = f->operands[1]->type;
  int64_t groups = qn_op_groups(f->op), depth = weights->shaped.dims[3];
  const qn_affine_expr *channel = qn_form_dim(f, TAP_CHANNEL);
  if (groups > 1) {
    int64_t group = weights->shaped.dims[0] / groups; /* output channels of one */
    const qn_affine_expr *number = qn_affine_floordiv(f->cx, qn_form_dim(f, CHANNEL), group);
    channel = qn_affine_add(f->cx, qn_affine_scaled(f->cx, number, depth), channel);
  }
  qn_form_access inputs[] = {taps_of_input(f, channel), {0}};
  inputs[1] = (qn_form_access){.value = qn_form_operand(f, 1),
                               .at = {qn_form_dim(f, CHANNEL), qn_form_dim(f, TAP_ROW),
                                      qn_form_dim(f, TAP_COLUMN), qn_form_dim(f, TAP_CHANNEL)}};
  return product_sums(f, inputs, 3);
}
const qn_float_form qn_float_form_ml_conv = {
    .build = build_conv, .fixed = qn_form_hybrid, .named = true};

static qn_value *build_depthwise_conv(qn_form *f) {
  int64_t filters = f->operands[1]->type->shaped.dims[3] / f->operands[0]->type->shaped.dims[3];
  const qn_affine_expr *channel = qn_affine_floordiv(f->cx, qn_form_dim(f, CHANNEL), filters);
  qn_form_access inputs[] = {taps_of_input(f, channel), {0}};
  inputs[1] = (qn_form_access){.value = qn_form_operand(f, 1),
                               .at = {qn_affine_const(f->cx, 0), qn_form_dim(f, TAP_ROW),
                                      qn_form_dim(f, TAP_COLUMN), qn_form_dim(f, CHANNEL)}};
  return product_sums(f, inputs, 2);
}
const qn_float_form qn_float_form_ml_depthwise_conv = {
    .build = build_depthwise_conv, .fixed = qn_form_hybrid, .named = true};

static qn_value *build_linear(qn_form *f) {
  uint32_t rank = f->operands[0]->type->shaped.rank;
  qn_form_access inputs[] = {qn_form_whole(f, qn_form_operand(f, 0)), {0}};
  inputs[0].at[rank - 1] = qn_form_dim(f, rank);
  inputs[1] = (qn_form_access){.value = qn_form_operand(f, 1),
                               .at = {qn_form_dim(f, rank - 1), qn_form_dim(f, rank)}};
  return product_sums(f, inputs, 1);
}
const qn_float_form qn_float_form_ml_linear = {
    .build = build_linear, .fixed = qn_form_hybrid, .named = true};

/* Batches of size 1 are read for every batch of the result. */
static void add_batches(const qn_form *f, uint32_t rank, qn_form_access *access) {
  const qn_type *type = access->value->type;
  uint32_t own = type->shaped.rank > 2 ? type->shaped.rank - 2 : 0;
  for (uint32_t i = 0; i < own; i++)
    access->at[i] =
        type->shaped.dims[i] == 1 ? qn_affine_const(f->cx, 0) : qn_form_dim(f, rank - own + i);
}

/* Loops: batches, row and column as the result has them, then k. */
static void matmul_accesses(qn_form *f, qn_form_access inputs[2]) {
  qn_matmul m;
  const char *problem = qn_matmul_of(f->op, &m);
  QN_ASSERT(!problem);
  uint32_t k = f->op->results[0].type->shaped.rank;
  uint32_t row = m.batch_rank, column = row + m.has_rows;
  qn_form_access *x = &inputs[0], *y = &inputs[1];
  uint32_t x_last = x->value->type->shaped.rank - 1, y_last = y->value->type->shaped.rank - 1;
  add_batches(f, m.batch_rank, x);
  add_batches(f, m.batch_rank, y);
  bool tx = qn_op_transpose_x(f->op), ty = qn_op_transpose_y(f->op);
  x->at[x_last] = x->at[x_last - tx] = qn_form_dim(f, k);
  if (m.has_rows) x->at[tx ? x_last : x_last - 1] = qn_form_dim(f, row);
  y->at[y_last - (m.has_columns && !ty)] = qn_form_dim(f, k);
  if (m.has_columns) y->at[ty ? y_last - 1 : y_last] = qn_form_dim(f, column);
}

static qn_value *build_matmul(qn_form *f) {
  qn_form_access inputs[] = {{.value = qn_form_operand(f, 0)}, {.value = qn_form_operand(f, 1)}};
  matmul_accesses(f, inputs);
  return product_sums(f, inputs, 1);
}

/* In integers: sums of 64 bits of factors of 16, else of 32. */
static qn_value *fixed_matmul(qn_form *f) {
  const qn_form_numbers *n = f->numbers;
  qn_form_access inputs[] = {{.value = qn_form_stored(f, 0)}, {.value = qn_form_stored(f, 1)}};
  bool wide = qn_type_element(inputs[0].value->type)->integer.width == 16;
  uint32_t width = wide ? 64 : 32, rank = f->op->results[0].type->shaped.rank;
  matmul_accesses(f, inputs);
  const qn_type *element = qn_type_i(f->cx, width);
  const qn_type *type = qn_type_with_element(f->cx, f->op->results[0].type, element);
  qn_form_access sums =
      qn_form_whole(f, qn_form_fill_with(f, type, qn_attr_int(f->cx, 0, element)));
  qn_op *generic = qn_form_open(f, rank + 1, UINT64_C(1) << rank, inputs, 2, &sums);
  qn_value *a = qn_form_less_zero_point(f, qn_form_element(generic, 0), qn_form_is_unsigned(f, 0),
                                        n->a_zero_point);
  qn_value *b = qn_form_less_zero_point(f, qn_form_element(generic, 1), qn_form_is_unsigned(f, 1),
                                        n->b_zero_point);
  a = qn_form_widened(f, a, false, width);
  b = qn_form_widened(f, b, false, width);
  qn_value *product = qn_build_binary(f->b, QN_OP_ARITH_MULI, a, b);
  qn_value *sum = qn_build_binary(f->b, QN_OP_ARITH_ADDI, qn_form_element(generic, 2), product);
  qn_form_access input = qn_form_whole(f, qn_form_close(f, generic, sum));
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, qn_form_stored_result(f)));
  generic = qn_form_open(f, rank, 0, &input, 1, &output);
  qn_value *y = qn_form_element(generic, 0);
  y = wide ? qn_form_requant64(f, y, n->y) : qn_form_requant32(f, y, n->y);
  return qn_form_restored(f, qn_form_close(f, generic, qn_form_finished(f, y)));
}
const qn_float_form qn_float_form_ml_matmul = {
    .build = build_matmul, .fixed = fixed_matmul, .named = true};
