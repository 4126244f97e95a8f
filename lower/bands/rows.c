/* SPDX-License-Identifier: Apache-2.0 */
#include "lower/bands/rows.h"

#include <string.h>

#include "ir/ops/forms.h"
#include "ir/types/type.h"

/* Finds what the op reads of operand `index`; returns false if it is padding alone. */
typedef bool read_fn(const qn_op *op, uint32_t index, qn_rows of_result, qn_rows_read *out);

/* Clips rows to the operand; what is outside of it is padding. */
static bool clip(const qn_value *operand, qn_rows rows, qn_rows_read *out) {
  qn_rows all = qn_rows_all(operand);
  *out = (qn_rows_read){.rows = rows};
  if (rows.begin < 0) out->above = -rows.begin, out->rows.begin = 0;
  if (rows.end > all.end) out->below = rows.end - all.end, out->rows.end = all.end;
  return out->rows.begin < out->rows.end;
}

static bool read_whole(qn_rows_read *out) {
  *out = (qn_rows_read){.whole = true};
  return true;
}

/* The same rows; the rows of a value that is broadcast over them are read as a whole. */
static bool same_rows(const qn_op *op, uint32_t index, qn_rows of_result, qn_rows_read *out) {
  const qn_value *operand = qn_op_operand(op, index);
  if (operand->type->shaped.rank < QN_ROWS_RANK || qn_rows_all(operand).end == 1)
    return read_whole(out);
  return clip(operand, of_result, out);
}

/* The rows under windows of `taps` rows. */
static bool window_rows(const qn_op *op, int64_t taps, qn_rows of_result, qn_rows_read *out) {
  qn_i64s dilations = qn_op_dilations(op);
  int64_t stride = qn_op_strides(op).data[0], top = qn_op_pad(op).data[0];
  int64_t extent = (taps - 1) * (dilations.count ? dilations.data[0] : 1) + 1;
  qn_rows rows = {of_result.begin * stride - top, (of_result.end - 1) * stride - top + extent};
  return clip(qn_op_operand(op, 0), rows, out);
}

static bool conv_rows(const qn_op *op, uint32_t index, qn_rows of_result, qn_rows_read *out) {
  if (index > 0) return read_whole(out);
  return window_rows(op, qn_op_operand(op, 1)->type->shaped.dims[1], of_result, out);
}

static bool pool_rows(const qn_op *op, uint32_t index, qn_rows of_result, qn_rows_read *out) {
  (void)index;
  return window_rows(op, qn_op_kernel_sizes(op).data[0], of_result, out);
}

static bool pad_rows(const qn_op *op, uint32_t index, qn_rows of_result, qn_rows_read *out) {
  int64_t top = qn_op_pad(op).data[2 * QN_ROWS_DIM];
  qn_rows rows = {of_result.begin - top, of_result.end - top};
  return clip(qn_op_operand(op, index), rows, out);
}

/* `pad`: index of the padding above the first row in the attribute "pad", -1 if there is none. */
static const struct row {
  qn_op_kind kind;
  read_fn *read;
  int8_t pad;
} rows_of[] = {
    {QN_OP_ML_CONV, conv_rows, 0},
    {QN_OP_ML_DEPTHWISE_CONV, conv_rows, 0},
    {QN_OP_ML_MAX_POOL, pool_rows, 0},
    {QN_OP_ML_AVG_POOL, pool_rows, 0},
    {QN_OP_ML_PAD, pad_rows, 2 * QN_ROWS_DIM},
    {QN_OP_ML_CONCAT, same_rows, -1},
    {QN_OP_ML_ADD, same_rows, -1},
    {QN_OP_ML_SUB, same_rows, -1},
    {QN_OP_ML_MUL, same_rows, -1},
    {QN_OP_ML_MAXIMUM, same_rows, -1},
    {QN_OP_ML_MINIMUM, same_rows, -1},
    {QN_OP_ML_PRELU, same_rows, -1},
};
static const struct row elementwise = {QN_OP_UNREGISTERED, same_rows, -1};

static const struct row *row_of(const qn_op *op) {
  for (size_t i = 0; i < QN_COUNT(rows_of); i++)
    if (rows_of[i].kind == op->kind) return &rows_of[i];
  return qn_op_has(op, QN_ELEMENTWISE) && qn_op_has(op, QN_PURE) && op->operand_count == 1
             ? &elementwise
             : NULL;
}

/* Whether the value is NHWC of one scale. Floats are not: their windows may be scaled by the
 * largest element of an image. */
static bool has_rows(const qn_value *value) {
  const qn_type *type = value->type;
  if (!qn_type_is_shaped(type) || type->shaped.rank != QN_ROWS_RANK || !qn_type_is_static(type))
    return false;
  const qn_quant_uniform *q = qn_type_quant(type);
  return q && q->scheme == QN_PER_LAYER;
}

/* Rows of the result of a concatenation must not be those of different operands. Axes of verified
 * ops are not negative. */
static bool joins_rows(const qn_op *op) {
  return op->kind == QN_OP_ML_CONCAT && qn_op_axis(op) == QN_ROWS_DIM;
}

static bool operand_fits(const qn_op *op, const struct row *row, uint32_t index) {
  const qn_value *operand = qn_op_operand(op, index);
  const qn_type *type = operand->type;
  if (row->read == conv_rows && index > 0) return true; /* weights and bias */
  if (has_rows(operand) && !qn_value_constant(operand)) return true;
  if (row->read != same_rows || !qn_type_is_shaped(type) || !qn_type_is_static(type)) return false;
  /* a constant, or a value of lower rank, which is aligned with the last dimensions */
  uint32_t rank = type->shaped.rank;
  return rank < QN_ROWS_RANK - 1 ||
         (rank <= QN_ROWS_RANK && type->shaped.dims[rank - (QN_ROWS_RANK - QN_ROWS_DIM)] == 1);
}

/* Whether bands of one row would be sums or products of equal shapes, which some profiles round
 * otherwise than those of shapes that are broadcast (once_where_equal). */
static bool becomes_equal(const qn_op *op, uint32_t index) {
  if (op->kind != QN_OP_ML_ADD && op->kind != QN_OP_ML_MUL) return false;
  const qn_value *operand = qn_op_operand(op, index), *y = &op->results[0];
  const int64_t rows = qn_rows_all(y).end, elements = qn_type_elements(operand->type);
  return rows > 1 && elements * rows == qn_type_elements(y->type);
}

bool qn_rows_apply(const qn_op *op) {
  const struct row *row = row_of(op);
  if (!row || op->result_count != 1 || op->region_count != 0 || op->operand_count == 0)
    return false;
  if (!has_rows(&op->results[0]) || joins_rows(op)) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!operand_fits(op, row, i) || becomes_equal(op, i)) return false;
  return true;
}

bool qn_rows_of(const qn_op *op, uint32_t index, qn_rows of_result, qn_rows_read *out) {
  const struct row *row = row_of(op);
  QN_ASSERT(row && qn_rows_count(of_result) > 0);
  return row->read(op, index, of_result, out);
}

uint32_t qn_rows_pad(const qn_op *op, const qn_rows_read *read, int64_t out[QN_ROWS_PADS]) {
  const struct row *row = row_of(op);
  QN_ASSERT(row);
  if (row->pad < 0) return 0;
  qn_i64s pad = qn_op_pad(op);
  QN_ASSERT(pad.count <= QN_ROWS_PADS);
  memcpy(out, pad.data, pad.count * sizeof *out);
  out[row->pad] = read->above;
  out[row->pad + 1] = read->below;
  return pad.count;
}
