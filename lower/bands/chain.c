/* SPDX-License-Identifier: Apache-2.0 */
#include "lower/bands/chain.h"

#include "ir/ops/infer/cost.h"
#include "ir/types/type.h"
#include "ir/walk.h"

qn_op *qn_chain_op(const qn_op *func, uint32_t index) {
  QN_FOR_EACH_OP(op, qn_op_body(func))
  if (!qn_op_has(op, QN_CONSTANT) && index-- == 0) return op;
  return NULL;
}

/* Index of the op in the chain; -1 if it is not in it. */
static int32_t place_of(const qn_chain *chain, const qn_op *op) {
  for (uint32_t i = 0; i < chain->count; i++)
    if (chain->ops[i] == op) return (int32_t)i;
  return -1;
}

static bool is_closed(const qn_chain *chain) {
  for (uint32_t k = 0; k + 1 < chain->count; k++) {
    const qn_value *result = &chain->ops[k]->results[0];
    if (!qn_value_has_uses(result)) return false;
    for (const qn_use *use = result->first_use; use; use = use->next)
      if (place_of(chain, use->owner) < 0) return false;
  }
  return true;
}

bool qn_chain_find(const qn_op *func, uint32_t first, uint32_t last, qn_chain *out) {
  out->count = 0;
  if (first > last || last - first >= QN_CHAIN_OPS) return false;
  for (qn_op *op = qn_chain_op(func, first); op && out->count <= last - first; op = op->next) {
    if (qn_op_has(op, QN_CONSTANT)) continue;
    if (!qn_rows_apply(op)) return false;
    out->ops[out->count++] = op;
  }
  return out->count == last - first + 1 && is_closed(out);
}

static const qn_value *result_of(const qn_chain *chain) {
  return &chain->ops[chain->count - 1]->results[0];
}

int64_t qn_chain_height(const qn_chain *chain, int64_t bands) {
  int64_t rows = qn_rows_all(result_of(chain)).end;
  if (bands < 2 || bands > QN_CHAIN_BANDS || bands > rows) return 0;
  int64_t height = (rows + bands - 1) / bands;
  return (rows + height - 1) / height == bands ? height : 0;
}

static qn_rows hull(qn_rows a, qn_rows b) {
  if (qn_rows_count(a) == 0) return b;
  return (qn_rows){a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

bool qn_chain_rows(const qn_chain *chain, qn_rows band, qn_rows out_rows[QN_CHAIN_OPS]) {
  for (uint32_t k = 0; k < chain->count; k++) out_rows[k] = (qn_rows){0, 0};
  out_rows[chain->count - 1] = band;
  for (uint32_t k = chain->count; k-- > 0;) {
    const qn_op *op = chain->ops[k];
    for (uint32_t i = 0; i < op->operand_count; i++) {
      qn_rows_read read;
      if (!qn_rows_of(op, i, out_rows[k], &read)) return false;
      const qn_value *operand = qn_op_operand(op, i);
      int32_t from = place_of(chain, operand->op);
      if (from < 0) continue;
      qn_rows rows = read.whole ? qn_rows_all(operand) : read.rows;
      out_rows[from] = hull(out_rows[from], rows);
    }
  }
  return true;
}

/* ---- estimates ---- */

static int64_t part(int64_t whole, const qn_value *value, qn_rows rows) {
  return whole / qn_rows_all(value).end * qn_rows_count(rows);
}

/* Bytes of rows of a value, with the border of the op that reads them. */
static int64_t bytes_of(const qn_op *reader, uint32_t index, qn_rows of_result) {
  qn_rows_read read;
  int64_t pad[QN_ROWS_PADS];
  const qn_value *v = qn_op_operand(reader, index);
  if (!qn_rows_of(reader, index, of_result, &read) || read.whole) return 0;
  int64_t row = qn_type_size(v->type) / qn_rows_all(v).end;
  if (qn_rows_pad(reader, &read, pad) == 4) {
    int64_t columns = v->type->shaped.dims[2];
    row = row / columns * (columns + pad[2] + pad[3]);
  }
  return row * (qn_rows_count(read.rows) + read.above + read.below);
}

static bool has_border(const qn_op *op) {
  qn_rows_read read = {.above = 0};
  int64_t pad[QN_ROWS_PADS];
  return qn_rows_pad(op, &read, pad) == 4 && (pad[2] > 0 || pad[3] > 0);
}

/* Bytes of values between the ops, and bordered copies of what enters the chain, while op `at` of a
 * band runs. */
static int64_t live_at(const qn_chain *chain, const qn_rows *rows, uint32_t at) {
  int64_t live[QN_CHAIN_OPS] = {0}, sum = 0;
  for (uint32_t k = at; k < chain->count; k++) {
    const qn_op *op = chain->ops[k];
    for (uint32_t i = 0; i < op->operand_count; i++) {
      int32_t from = place_of(chain, qn_op_operand(op, i)->op);
      int64_t bytes = bytes_of(op, i, rows[k]);
      if (from < 0) {
        if (k == at && i == 0 && has_border(op)) sum += bytes;
      } else if ((uint32_t)from <= at && bytes > live[from]) {
        live[from] = bytes;
      }
    }
  }
  for (uint32_t k = 0; k < chain->count; k++) sum += live[k];
  return sum;
}

bool qn_chain_estimate(const qn_chain *chain, int64_t height, qn_chain_cost *out_cost) {
  int64_t end = qn_rows_all(result_of(chain)).end;
  *out_cost = (qn_chain_cost){0, 0, 0};
  for (uint32_t k = 0; k < chain->count; k++)
    out_cost->whole_macs += qn_op_cost(chain->ops[k]).macs;
  for (int64_t begin = 0; begin < end; begin += height) {
    qn_rows band = {begin, begin + height < end ? begin + height : end}, rows[QN_CHAIN_OPS];
    if (!qn_chain_rows(chain, band, rows)) return false;
    for (uint32_t k = 0; k < chain->count; k++) {
      const qn_op *op = chain->ops[k];
      out_cost->macs += part(qn_op_cost(op).macs, &op->results[0], rows[k]);
      int64_t bytes = live_at(chain, rows, k);
      if (bytes > out_cost->bytes) out_cost->bytes = bytes;
    }
  }
  return true;
}
