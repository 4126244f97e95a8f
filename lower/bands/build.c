/* Builds the bands of a chain.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/builder.h"
#include "ir/ops/ml.h"
#include "lower/bands/chain.h"

typedef struct band {
  qn_builder b;
  const qn_chain *chain;
  qn_arena *scratch;
  qn_rows rows[QN_CHAIN_OPS];     /* rows of each op's result */
  qn_value *values[QN_CHAIN_OPS]; /* the results with these rows */
} band;

static const qn_type *with_rows(const band *d, const qn_type *type, int64_t rows) {
  int64_t dims[QN_ROWS_RANK];
  memcpy(dims, type->shaped.dims, sizeof dims);
  dims[QN_ROWS_DIM] = rows;
  return qn_type_tensor(d->b.cx, type->shaped.element, QN_ROWS_RANK, dims);
}

static qn_value *slice(band *d, qn_value *value, qn_rows rows) {
  qn_rows all = qn_rows_all(value);
  if (rows.begin == all.begin && rows.end == all.end) return value;
  int64_t begin[QN_ROWS_RANK] = {0}, end[QN_ROWS_RANK], stride[QN_ROWS_RANK] = {1, 1, 1, 1};
  memcpy(end, value->type->shaped.dims, sizeof end);
  begin[QN_ROWS_DIM] = rows.begin;
  end[QN_ROWS_DIM] = rows.end;
  qn_ir_context *cx = d->b.cx;
  return qn_build_1(&d->b, QN_OP_ML_SLICE_BY_INDEX, with_rows(d, value->type, qn_rows_count(rows)),
                    QN_VALUES(value),
                    QN_ATTRS({"begin", qn_attr_i64s(cx, begin, QN_ROWS_RANK)},
                             {"end", qn_attr_i64s(cx, end, QN_ROWS_RANK)},
                             {"stride", qn_attr_i64s(cx, stride, QN_ROWS_RANK)}));
}

/* The rows of an operand that op `k` of the chain reads. */
static qn_value *operand_of(band *d, uint32_t k, uint32_t index, qn_rows_read *out_read) {
  const qn_op *op = d->chain->ops[k];
  qn_value *value = qn_op_operand(op, index);
  bool reads = qn_rows_of(op, index, d->rows[k], out_read);
  QN_ASSERT(reads); /* there is an estimate */
  for (uint32_t from = 0; from < k; from++) {
    if (value->op != d->chain->ops[from]) continue;
    qn_rows rows = out_read->whole ? qn_rows_all(value) : out_read->rows;
    int64_t begin = d->rows[from].begin;
    QN_ASSERT(rows.begin >= begin && rows.end <= d->rows[from].end);
    return slice(d, d->values[from], (qn_rows){rows.begin - begin, rows.end - begin});
  }
  return out_read->whole ? value : slice(d, value, out_read->rows);
}

static void build_op(band *d, uint32_t k) {
  const qn_op *op = d->chain->ops[k];
  qn_value **operands = QN_NEW_ARRAY(d->scratch, op->operand_count, qn_value *);
  qn_rows_read first, read;
  d->b.loc = op->loc;
  for (uint32_t i = 0; i < op->operand_count; i++)
    operands[i] = operand_of(d, k, i, i == 0 ? &first : &read);
  const qn_type *type = with_rows(d, op->results[0].type, qn_rows_count(d->rows[k]));
  qn_op *made = qn_build_copy(&d->b, op, operands, &type);
  int64_t pad[QN_ROWS_PADS];
  uint32_t pads = qn_rows_pad(op, &first, pad);
  if (pads > 0)
    qn_op_set_attr(d->b.module, made, qn_attr_decls[QN_A_PAD].name,
                   qn_attr_i64s(d->b.cx, pad, pads));
  /* no band is a tensor of the model */
  qn_op_set_attr(d->b.module, made, qn_attr_decls[QN_A_TENSORS].name, NULL);
  d->values[k] = &made->results[0];
}

static qn_value *build_band(band *d, qn_rows rows) {
  bool known = qn_chain_rows(d->chain, rows, d->rows);
  QN_ASSERT(known);
  for (uint32_t k = 0; k < d->chain->count; k++) build_op(d, k);
  return d->values[d->chain->count - 1];
}

void qn_chain_build(qn_module *module, const qn_chain *chain, int64_t height, qn_arena *scratch) {
  qn_op *last = chain->ops[chain->count - 1];
  qn_value *whole = &last->results[0], *bands[QN_CHAIN_BANDS];
  int64_t rows = qn_rows_all(whole).end;
  band d = {.b = qn_builder_before(module, last), .chain = chain, .scratch = scratch};
  uint32_t count = 0;
  for (int64_t begin = 0; begin < rows; begin += height) {
    QN_ASSERT(count < QN_CHAIN_BANDS);
    bands[count++] =
        build_band(&d, (qn_rows){begin, begin + height < rows ? begin + height : rows});
  }
  d.b.loc = last->loc;
  qn_value *joined = qn_build_1(&d.b, QN_OP_ML_CONCAT, whole->type, bands, count,
                                QN_ATTRS({"axis", qn_attr_i64(d.b.cx, QN_ROWS_DIM)}));
  const qn_attr *tensors = qn_op_find(last, QN_A_TENSORS);
  qn_op_set_attr(module, joined->op, qn_attr_decls[QN_A_TENSORS].name, tensors);
  qn_value_replace_all_uses(whole, joined);
  for (uint32_t k = chain->count; k-- > 0;) qn_op_erase(module, chain->ops[k]);
}
