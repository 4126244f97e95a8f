/* Decompositions of convolutions and matrix products. On floats they are their own decomposition; a
 * 16-bit matrix product is a linalg.generic; with 8-bit weights see hybrid.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/fixed.h"
#include "ir/ops/infer/matmul.h"

const qn_float_form qn_float_form_ml_depthwise_conv = {.build = qn_form_itself,
                                                       .fixed = qn_form_hybrid};
const qn_float_form qn_float_form_ml_linear = {.build = qn_form_itself, .fixed = qn_form_hybrid};

/* Adds batch dimensions to an access; those of size 1 are broadcast. */
static void add_batches(const qn_form *f, uint32_t rank, qn_form_access *access) {
  const qn_type *type = access->value->type;
  uint32_t own = type->shaped.rank > 2 ? type->shaped.rank - 2 : 0;
  for (uint32_t i = 0; i < own; i++)
    access->at[i] =
        type->shaped.dims[i] == 1 ? qn_affine_const(f->cx, 0) : qn_form_dim(f, rank - own + i);
}

/* Loop order: batches, row, column as in the result, then k. */
static void matmul_accesses(qn_form *f, bool ty, qn_form_access inputs[2]) {
  qn_matmul m;
  const char *problem = qn_matmul_of(f->op, &m);
  QN_ASSERT(!problem);
  uint32_t k = f->op->results[0].type->shaped.rank;
  uint32_t row = m.batch_rank, column = row + m.has_rows;
  qn_form_access *x = &inputs[0], *y = &inputs[1];
  uint32_t x_last = x->value->type->shaped.rank - 1, y_last = y->value->type->shaped.rank - 1;
  add_batches(f, m.batch_rank, x);
  add_batches(f, m.batch_rank, y);
  bool tx = qn_op_transpose_x(f->op);
  x->at[x_last] = x->at[x_last - tx] = qn_form_dim(f, k);
  if (m.has_rows) x->at[tx ? x_last : x_last - 1] = qn_form_dim(f, row);
  y->at[y_last - (m.has_columns && !ty)] = qn_form_dim(f, k);
  if (m.has_columns) y->at[ty ? y_last - 1 : y_last] = qn_form_dim(f, column);
}

qn_value *qn_build_matrix_transposed(qn_builder *b, qn_value *x) {
  int64_t dims[QN_ML_MAX_RANK], perm[QN_ML_MAX_RANK];
  uint32_t rank = x->type->shaped.rank;
  for (uint32_t i = 0; i < rank; i++) {
    perm[i] = i + 2 < rank ? i : 2 * rank - 3 - i;
    dims[i] = x->type->shaped.dims[perm[i]];
  }
  const qn_type *type = qn_type_tensor(b->cx, x->type->shaped.element, rank, dims);
  return qn_build_1(b, QN_OP_ML_TRANSPOSE, type, QN_VALUES(x),
                    QN_ATTRS({"perm", qn_attr_i64s(b->cx, perm, rank)}));
}

/* Sums with `width` bits of products of stored values; `ty`: the columns of y are contiguous. */
static qn_value *summed(qn_form *f, qn_value *y, bool ty, uint32_t width) {
  qn_form_access inputs[] = {{.value = qn_form_stored(f, 0)}, {.value = y}};
  uint32_t rank = f->op->results[0].type->shaped.rank;
  matmul_accesses(f, ty, inputs);
  const qn_type *element = qn_type_i(f->cx, width);
  const qn_type *type = qn_type_with_element(f->cx, f->op->results[0].type, element);
  qn_form_access sums =
      qn_form_whole(f, qn_form_fill_with(f, type, qn_attr_int(f->cx, 0, element)));
  qn_op *generic = qn_form_open(f, rank + 1, UINT64_C(1) << rank, inputs, 2, &sums);
  qn_value *a = qn_form_widened(f, qn_form_element(generic, 0), false, width);
  qn_value *b = qn_form_widened(f, qn_form_element(generic, 1), false, width);
  qn_value *product = qn_build_binary(f->b, QN_OP_ARITH_MULI, a, b);
  qn_value *sum = qn_build_binary(f->b, QN_OP_ARITH_ADDI, qn_form_element(generic, 2), product);
  return qn_form_close(f, generic, sum);
}

/* 16-bit integers with 64-bit sums. Kernels require contiguous columns. */
static qn_value *fixed_matmul(qn_form *f) {
  uint32_t rank = f->op->results[0].type->shaped.rank;
  qn_value *y_stored = qn_form_stored(f, 1);
  if (qn_op_transpose_y(f->op) && y_stored->type->shaped.rank > 1)
    y_stored = qn_build_matrix_transposed(f->b, y_stored);
  qn_form_access input = qn_form_whole(f, summed(f, y_stored, false, 64));
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, qn_form_stored_result(f)));
  qn_op *generic = qn_form_open(f, rank, 0, &input, 1, &output);
  qn_value *y = qn_form_requant64(f, qn_form_element(generic, 0), f->numbers->y);
  return qn_form_restored(f, qn_form_close(f, generic, qn_form_finished(f, y)));
}

/* Products of plain integers, whose sums are the result. */
static qn_value *stored_matmul(qn_form *f) {
  return summed(f, qn_form_stored(f, 1), qn_op_transpose_y(f->op), 32);
}
const qn_float_form qn_float_form_ml_matmul = {
    .build = qn_form_itself, .stored = stored_matmul, .fixed = fixed_matmul};
