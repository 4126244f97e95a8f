/* Table of the entries of all ops, and the entries of ops without a kernel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/elements/record.h"
#include "ir/ops/forms.h"

#define NO_KERNEL "has no machine code outside of a model"
/* Casts could be lowered to supported ops, but that would choose a rounding without the user's
 * decision. */
#define CASTS_FIRST NO_KERNEL ": run lower-quant-ops first"

#define RECORD(stem) const qn_element_record qn_element_record_##stem
RECORD(cf_br) = {.part = QN_ELEMENT_FLOW, .numbers = QN_ANY_NUMBERS};
RECORD(cf_cond_br) = {.part = QN_ELEMENT_FLOW, .numbers = QN_ANY_NUMBERS};
RECORD(cf_assert) = {.part = QN_ELEMENT_FLOW};
RECORD(func_return) = {.part = QN_ELEMENT_FLOW, .numbers = QN_ANY_NUMBERS};
RECORD(func) = {.none = NO_KERNEL};
RECORD(func_call) = {.none = NO_KERNEL};
RECORD(quant_qcast) = {.none = CASTS_FIRST};
RECORD(quant_dcast) = {.none = CASTS_FIRST};
RECORD(quant_scast) = {.part = QN_ELEMENT_ALIAS, .numbers = QN_ANY_NUMBERS};
RECORD(linalg_yield) = {.none = NO_KERNEL, .in_body = true};
RECORD(linalg_index) = {.none = NO_KERNEL, .in_body = true};
RECORD(tensor_empty) = {.part = QN_ELEMENT_CONTENT};
RECORD(tensor_cast) = {.part = QN_ELEMENT_ALIAS, .numbers = QN_ANY_NUMBERS};
RECORD(tensor_reshape) = {.part = QN_ELEMENT_ALIAS, .numbers = 1};
/* Values that follow from shapes are computed before kernels are built. */
RECORD(tensor_dim) = {.none = NO_KERNEL, .reads_type = true};
RECORD(tensor_rank) = {.none = NO_KERNEL, .reads_type = true};
RECORD(shape_shape_of) = {.none = NO_KERNEL, .reads_type = true};
RECORD(shape_num_elements) = {.none = NO_KERNEL};
RECORD(shape_split_at) = {.none = NO_KERNEL};
RECORD(shape_const_shape) = {.none = NO_KERNEL};

static const qn_element_record constant = {
    .part = QN_ELEMENT_CONTENT, .numbers = QN_ANY_NUMBERS, .in_body = true};

static const qn_element_record *const records[QN_OP_COUNT] = {
#define OP(stem, kind, ...) [QN_OP_##kind] = &qn_element_record_##stem,
#include "ir/ops/cf.def"
#include "ir/ops/func.def"
#include "ir/ops/linalg.def"
#include "ir/ops/quant.def"
#include "ir/ops/shape.def"
#include "ir/ops/tensor.def"
#undef OP
    [QN_OP_ARITH_CONSTANT] = &constant,
};

const qn_element_record *qn_element_record_of(const qn_op *op) {
  static const qn_element_record other = {.none = NO_KERNEL};
  if (records[op->kind]) return records[op->kind];
  return qn_elements_is_elementwise(op) ? &qn_element_record_elementwise : &other;
}
