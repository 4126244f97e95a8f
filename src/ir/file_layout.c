/* Finds the channels-first transposes that file_layout.h describes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/file_layout.h"

#include "ir/op_attrs.h"

enum { IMAGE = 4 };
static const int64_t order[IMAGE] = {0, 3, 1, 2}; /* dimensions of NHWC in the order of NCHW */

static bool is_ordered(const qn_type *from, const qn_type *to) {
  if (!qn_type_is_shaped(from) || from->shaped.rank != IMAGE || to->shaped.rank != IMAGE)
    return false;
  for (uint32_t d = 0; d < IMAGE; d++)
    if (to->shaped.dims[d] != from->shaped.dims[order[d]]) return false;
  return true;
}

const qn_value *qn_op_channels_last(const qn_op *op) {
  if (op->kind != QN_OP_ML_TRANSPOSE && op->kind != QN_OP_ML_RESHAPE) return NULL;
  const qn_value *x = op->operands[0].value;
  if (!x->op || qn_op_tensors(x->op).count > 0 || qn_op_tensors(op).count == 0) return NULL;
  if (!is_ordered(x->type, op->results[0].type)) return NULL;
  qn_i64s perm = {0};
  if (op->kind == QN_OP_ML_TRANSPOSE) perm = qn_op_perm(op);
  for (uint32_t d = 0; d < perm.count; d++)
    if (perm.data[d] != order[d]) return NULL;
  return x;
}

const qn_op *qn_value_channels_first(const qn_value *value) {
  for (const qn_use *use = value->first_use; use; use = use->next)
    if (qn_op_channels_last(use->owner) == value) return use->owner;
  return NULL;
}
