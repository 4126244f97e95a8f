/* Queries of types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "ir/types/type.h"

bool qn_type_is_quant(const qn_type *type) {
  return type->kind == QN_TYPE_QUANT_ANY || type->kind == QN_TYPE_QUANT_UNIFORM ||
         type->kind == QN_TYPE_QUANT_CALIBRATED;
}

bool qn_type_is_int(const qn_type *type, uint32_t width) {
  return type->kind == QN_TYPE_INTEGER && type->integer.width == width;
}

const qn_quant_uniform *qn_type_quant(const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  return element->kind == QN_TYPE_QUANT_UNIFORM ? &element->uniform : NULL;
}

int64_t qn_quant_block_size(const qn_quant_uniform *q, uint32_t dim) {
  for (uint32_t i = 0; i < q->block_count; i++) {
    if (q->block_axes[i] >= 0 && (uint32_t)q->block_axes[i] == dim) return q->block_sizes[i];
  }
  return 0;
}

int64_t qn_type_elements(const qn_type *type) {
  if (!qn_type_is_shaped(type)) return 1;
  if (!type->shaped.ranked) return -1;
  int64_t count = 1;
  bool overflows = false, empty = false;
  for (uint32_t i = 0; i < type->shaped.rank; i++) {
    int64_t dim = type->shaped.dims[i];
    if (dim < 0) return -1;
    empty |= dim == 0;
    overflows |= !qn_checked_mul(count, dim, &count);
  }
  if (empty) return 0;
  return overflows ? -1 : count;
}

int64_t qn_type_size(const qn_type *type) {
  int64_t bytes, elements = qn_type_elements(type);
  if (elements < 0 || !qn_checked_mul(elements, qn_type_bytes(qn_type_element(type)), &bytes))
    return -1;
  return bytes;
}

int64_t qn_memref_bytes(const qn_type *type) {
  return type->kind == QN_TYPE_MEMREF ? qn_type_size(type) : -1;
}

bool qn_type_is_static(const qn_type *type) {
  if (!qn_type_is_shaped(type)) return true;
  if (!type->shaped.ranked) return false;
  for (uint32_t i = 0; i < type->shaped.rank; i++) {
    if (type->shaped.dims[i] == QN_DYNAMIC) return false;
  }
  return true;
}

bool qn_type_is_unsigned(const qn_type *element) {
  switch (element->kind) {
  case QN_TYPE_INTEGER:
    return element->integer.sign == QN_UNSIGNED;
  case QN_TYPE_QUANT_UNIFORM:
    return !element->uniform.is_signed;
  case QN_TYPE_QUANT_ANY:
    return !element->any.is_signed;
  default:
    return false;
  }
}

void qn_storage_range(uint32_t width, bool is_signed, int64_t *out_min, int64_t *out_max) {
  QN_ASSERT(width >= 1 && width <= 32);
  *out_min = is_signed ? -((int64_t)1 << (width - 1)) : 0;
  *out_max = ((int64_t)1 << (is_signed ? width - 1 : width)) - 1;
}
