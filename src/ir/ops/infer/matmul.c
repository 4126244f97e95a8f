/* Shapes of matrix products.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/matmul.h"

/* Number of batch dimensions of an operand. */
static uint32_t batch_rank(const qn_type *type) {
  return type->shaped.rank > 2 ? type->shaped.rank - 2 : 0;
}

/* The size of the result's batch dimension `i` in an operand; 1 if the operand lacks it. */
static int64_t batch_size(const qn_matmul *m, const qn_type *type, uint32_t i) {
  uint32_t own = batch_rank(type), missing = m->batch_rank - own;
  return i < missing ? 1 : type->shaped.dims[i - missing];
}

static const char *read_batches(const qn_type *x, const qn_type *y, qn_matmul *m) {
  m->batch_rank = batch_rank(x) > batch_rank(y) ? batch_rank(x) : batch_rank(y);
  m->batch_count = 1;
  for (uint32_t i = 0; i < m->batch_rank; i++) {
    int64_t a = batch_size(m, x, i), b = batch_size(m, y, i);
    if (a != b && a != 1 && b != 1) return "the operands' batches do not broadcast";
    m->batches[i] = a == 1 ? b : a;
    m->batch_count *= m->batches[i];
  }
  return NULL;
}

const char *qn_matmul_of(const qn_op *op, qn_matmul *out) {
  const qn_type *x = qn_ml_in(op, 0), *y = qn_ml_in(op, 1);
  bool tx = qn_op_transpose_x(op), ty = qn_op_transpose_y(op);
  uint32_t xr = x->shaped.rank, yr = y->shaped.rank;
  *out = (qn_matmul){.rows = 1, .columns = 1, .has_rows = xr > 1, .has_columns = yr > 1};
  if (xr == 0 || yr == 0) return "the operands must have a dimension";
  if ((tx && xr == 1) || (ty && yr == 1)) return "a vector can't be transposed";
  const int64_t *xd = x->shaped.dims + xr - 1,
                *yd = y->shaped.dims + yr - 1; /* the last dimensions */
  out->depth = tx ? xd[-1] : xd[0];
  out->x_step = 1, out->y_step = 1;
  if (xr > 1) {
    out->rows = tx ? xd[0] : xd[-1];
    out->x_row = tx ? 1 : xd[0];
    out->x_step = tx ? xd[0] : 1;
  }
  int64_t y_depth = yd[0];
  if (yr > 1) {
    y_depth = ty ? yd[0] : yd[-1];
    out->columns = ty ? yd[-1] : yd[0];
    out->y_column = ty ? yd[0] : 1;
    out->y_step = ty ? 1 : yd[0];
  }
  if (y_depth != out->depth) return "the operands have different numbers to sum over";
  return read_batches(x, y, out);
}

int64_t qn_matmul_batch_offset(const qn_op *op, const qn_matmul *m, uint32_t operand,
                               int64_t batch) {
  const qn_type *type = qn_ml_in(op, operand);
  int64_t offset = 0, stride = operand == 0 ? m->rows * m->depth : m->columns * m->depth;
  for (uint32_t i = m->batch_rank; i-- > 0; batch /= m->batches[i]) {
    int64_t size = batch_size(m, type, i);
    if (size > 1) offset += batch % m->batches[i] * stride;
    stride *= size;
  }
  return offset;
}

static bool infer_matmul(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  qn_matmul m;
  const char *problem = qn_matmul_of(op, &m);
  if (problem) return qn_op_complain(cx, op, "%s", problem);
  *out_shape = (qn_shape){.rank = m.batch_rank};
  for (uint32_t i = 0; i < m.batch_rank; i++) out_shape->dims[i] = m.batches[i];
  if (m.has_rows) out_shape->dims[out_shape->rank++] = m.rows;
  if (m.has_columns) out_shape->dims[out_shape->rank++] = m.columns;
  return true;
}

const qn_inference qn_inference_ml_matmul = {.shape = infer_matmul};
const qn_inference qn_inference_ml_integer_matmul = {.shape = infer_matmul};
