/* Estimated time of an op: a constant per call plus a time per unit of work, by kind of op and type
 * of elements (measured.def).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "ir/ops/infer/cost.h"
#include "rules/cost/cost.h"

typedef enum elements { CODES, REALS, KINDS_OF_ELEMENTS } elements;

typedef struct cost {
  double call, unit; /* nanoseconds */
} cost;

/* When an op takes no time: never, always, or if its elements are contiguous in a larger tensor so
 * that buffer assignment can alias them. */
typedef enum freedom { NEVER, ALWAYS, ONE_RUN } freedom;

static const cost costs[QN_OP_COUNT][KINDS_OF_ELEMENTS] = {
#define COST(kind, of, call, unit) [QN_OP_##kind][of] = {(call), (unit) / 1000},
#define FREE(kind, when)
#include "rules/cost/measured.def"
#undef FREE
#undef COST
};
static const freedom frees[QN_OP_COUNT] = {
#define COST(kind, of, call, unit)
#define FREE(kind, when) [QN_OP_##kind] = (when),
#include "rules/cost/measured.def"
#undef FREE
#undef COST
};

static elements elements_of(const qn_type *type) {
  return qn_type_element(type)->kind == QN_TYPE_FLOAT ? REALS : CODES;
}

static int64_t count_of(const qn_type *type) {
  return type->kind == QN_TYPE_TENSOR && qn_type_is_static(type) ? qn_type_elements(type) : 0;
}

/* Bytes read from operand 0, or from all operands of a variadic op. */
static int64_t read_of(const qn_op *op) {
  int64_t sum = 0;
  uint32_t count = qn_op_info_of(op)->operands == QN_VARIADIC ? op->operand_count : 1;
  for (uint32_t i = 0; i < count && i < op->operand_count; i++)
    sum += count_of(qn_op_operand(op, i)->type);
  return sum;
}

static int64_t taps_of(const qn_op *op) {
  int64_t taps = 1;
  if (!qn_op_find(op, QN_A_KERNEL_SIZES)) return taps;
  qn_i64s sizes = qn_op_kernel_sizes(op);
  for (uint32_t i = 0; i < sizes.count; i++) taps *= sizes.data[i];
  return taps;
}

int64_t qn_rule_work_of(const qn_op *op) {
  int64_t products = qn_op_cost(op).macs, written = 0, taps = taps_of(op);
  if (products > 0) return products;
  for (uint32_t i = 0; i < op->result_count; i++) written += count_of(op->results[i].type);
  if (taps > 1) return written * taps;
  int64_t read = read_of(op);
  return read > written ? read : written;
}

/* Whether the elements of `part` are contiguous within `whole`: at most one dimension differs in
 * size, and all dimensions before it have size 1. */
static bool is_one_run(const qn_type *whole, const qn_type *part) {
  uint32_t rank = whole->shaped.rank, cut = 0;
  if (rank != part->shaped.rank) return false;
  while (cut < rank && whole->shaped.dims[cut] == part->shaped.dims[cut] &&
         whole->shaped.dims[cut] == 1)
    cut++;
  for (uint32_t i = cut + 1; i < rank; i++)
    if (whole->shaped.dims[i] != part->shaped.dims[i]) return false;
  return true;
}

/* Whether the memory plan can alias operand and result, so that the op copies nothing: slices that
 * are contiguous in the operand, or a concatenation whose operands are contiguous in the result. */
static bool are_views(const qn_op *op) {
  if (op->operand_count == 0) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    for (uint32_t k = 0; k < op->result_count; k++) {
      const qn_type *x = qn_op_operand(op, i)->type, *y = op->results[k].type;
      if (!is_one_run(x, y) && !is_one_run(y, x)) return false;
    }
  return true;
}

static bool is_free(const qn_op *op) {
  return qn_op_has(op, QN_CONSTANT) || op->result_count == 0 || frees[op->kind] == ALWAYS ||
         (frees[op->kind] == ONE_RUN && are_views(op));
}

double qn_rule_time_of(const qn_op *op) {
  if (is_free(op)) return 0;
  elements of = elements_of(op->results[0].type);
  QN_ASSERT(op->kind < QN_OP_COUNT);
  const cost *row = &costs[op->kind][of];
  if (row->call == 0 && row->unit == 0) row = &costs[QN_OP_ML_ADD][of];
  return row->call + row->unit * (double)qn_rule_work_of(op);
}
