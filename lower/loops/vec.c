/* Helpers that build vector ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/vec.h"

#include "base/check.h"

qn_value *qn_index_add(qn_builder *b, qn_value *base, int64_t offset) {
  if (offset == 0) return base;
  return qn_build_binary(b, QN_OP_ARITH_ADDI, base, qn_build_index(b, offset));
}

qn_value *qn_index_affine(qn_builder *b, qn_value *index, int64_t factor, int64_t offset) {
  if (factor == 0) return qn_build_index(b, offset);
  if (factor != 1) index = qn_build_binary(b, QN_OP_ARITH_MULI, index, qn_build_index(b, factor));
  return qn_index_add(b, index, offset);
}

qn_value *qn_index_load(qn_builder *b, qn_value *memref, qn_value *index, int64_t offset) {
  qn_value *value = qn_build_1(b, QN_OP_MEMREF_LOAD, qn_type_element(memref->type),
                               QN_VALUES(memref, qn_index_add(b, index, offset)), NULL);
  return qn_build_unary(b, QN_OP_ARITH_INDEX_CAST, value, qn_type_index(b->cx));
}

qn_value *qn_vec_load(qn_builder *b, qn_value *memref, qn_value *index, int64_t offset,
                      int64_t count) {
  QN_ASSERT(memref->type->kind == QN_TYPE_MEMREF && count > 0);
  const qn_type *type = qn_type_vec(b->cx, qn_type_element(memref->type), count);
  return qn_build_1(b, QN_OP_VECTOR_LOAD, type, QN_VALUES(memref, qn_index_add(b, index, offset)),
                    NULL);
}

void qn_vec_reload(qn_builder *b, qn_value *memref, qn_value *index, int64_t offset, int64_t lanes,
                   qn_value **out, uint32_t count) {
  QN_ASSERT(memref->type->kind == QN_TYPE_MEMREF && count > 0 && lanes > 0);
  const qn_type *type = qn_type_vec(b->cx, qn_type_element(memref->type), count * lanes);
  qn_value *at = qn_index_add(b, index, offset);
  qn_value *all = qn_build_1(b, QN_OP_QUERN_RELOAD, type, QN_VALUES(memref, at), NULL);
  for (uint32_t i = 0; i < count; i++) out[i] = qn_vec_slice(b, all, i * lanes, lanes);
}

void qn_vec_store(qn_builder *b, qn_value *vector, qn_value *memref, qn_value *index,
                  int64_t offset) {
  QN_ASSERT(qn_type_element(vector->type) == qn_type_element(memref->type));
  qn_build_0(b, QN_OP_VECTOR_STORE, QN_VALUES(vector, memref, qn_index_add(b, index, offset)),
             NULL);
}

qn_value *qn_index_opaque(qn_builder *b, qn_value *index) {
  return qn_build_1(b, QN_OP_QUERN_OPAQUE, index->type, QN_VALUES(index), NULL);
}

void qn_vec_boundary(qn_builder *b, const qn_target *target) {
  if (target->boundaries) qn_build_0(b, QN_OP_QUERN_BOUNDARY, NULL, 0, NULL);
}

int64_t qn_vec_count(const qn_value *vector) {
  QN_ASSERT(vector->type->kind == QN_TYPE_VECTOR);
  return vector->type->shaped.dims[0];
}

qn_value *qn_vec_shuffle(qn_builder *b, qn_value *first, qn_value *second, const int64_t *mask,
                         int64_t count) {
  QN_ASSERT(qn_type_element(first->type) == qn_type_element(second->type));
  int64_t lanes = qn_vec_count(first) + qn_vec_count(second);
  for (int64_t i = 0; i < count; i++) QN_ASSERT(mask[i] >= 0 && mask[i] < lanes);
  const qn_type *type = qn_type_vec(b->cx, qn_type_element(first->type), count);
  return qn_build_1(b, QN_OP_VECTOR_SHUFFLE, type, QN_VALUES(first, second),
                    QN_ATTRS({"mask", qn_attr_i64s(b->cx, mask, (uint32_t)count)}));
}

qn_value *qn_vec_join(qn_builder *b, qn_value *first, qn_value *second) {
  int64_t mask[QN_VEC_MAX_BYTES], count = qn_vec_count(first) + qn_vec_count(second);
  QN_ASSERT(count <= QN_VEC_MAX_BYTES);
  for (int64_t i = 0; i < count; i++) mask[i] = i;
  return qn_vec_shuffle(b, first, second, mask, count);
}

qn_value *qn_vec_interleave(qn_builder *b, qn_value *first, qn_value *second) {
  int64_t mask[QN_VEC_MAX_BYTES], lanes = qn_vec_count(first);
  QN_ASSERT(2 * lanes <= QN_VEC_MAX_BYTES);
  for (int64_t i = 0; i < 2 * lanes; i++) mask[i] = i % 2 * lanes + i / 2;
  return qn_vec_shuffle(b, first, second, mask, 2 * lanes);
}

qn_value *qn_vec_interleave_half(qn_builder *b, qn_value *first, qn_value *second, int64_t block,
                                 int64_t half) {
  int64_t mask[QN_VEC_MAX_BYTES], lanes = qn_vec_count(first);
  QN_ASSERT(lanes <= QN_VEC_MAX_BYTES && lanes % block == 0 && (half == 0 || half == 1));
  for (int64_t i = 0; i < lanes; i++)
    mask[i] = i / block * block + half * block / 2 + i % block / 2 + i % 2 * lanes;
  return qn_vec_shuffle(b, first, second, mask, lanes);
}

qn_value *qn_vec_slice(qn_builder *b, qn_value *vector, int64_t from, int64_t count) {
  if (from == 0 && count == qn_vec_count(vector)) return vector;
  int64_t mask[QN_VEC_MAX_BYTES];
  QN_ASSERT(count <= QN_VEC_MAX_BYTES && from >= 0 && from + count <= qn_vec_count(vector));
  for (int64_t i = 0; i < count; i++) mask[i] = from + i;
  return qn_vec_shuffle(b, vector, vector, mask, count);
}

qn_value *qn_vec_bitcast(qn_builder *b, qn_value *vector, const qn_type *element) {
  int64_t bytes = qn_vec_count(vector) * qn_type_bytes(qn_type_element(vector->type));
  QN_ASSERT(bytes % qn_type_bytes(element) == 0);
  const qn_type *type = qn_type_vec(b->cx, element, bytes / qn_type_bytes(element));
  return type == vector->type ? vector : qn_build_unary(b, QN_OP_VECTOR_BITCAST, vector, type);
}

qn_value *qn_vec_extract(qn_builder *b, qn_value *vector, int64_t lane) {
  QN_ASSERT(lane >= 0 && lane < qn_vec_count(vector));
  return qn_build_1(b, QN_OP_VECTOR_EXTRACT, qn_type_element(vector->type), QN_VALUES(vector),
                    QN_ATTRS({"static_position", qn_attr_i64s(b->cx, &lane, 1)}));
}

qn_value *qn_vec_broadcast(qn_builder *b, qn_value *scalar, int64_t count) {
  QN_ASSERT(!qn_type_is_shaped(scalar->type) && count > 0);
  return qn_build_unary(b, QN_OP_VECTOR_BROADCAST, scalar, qn_type_vec(b->cx, scalar->type, count));
}

qn_value *qn_vec_cast(qn_builder *b, qn_op_kind kind, qn_value *vector, const qn_type *element) {
  return qn_build_unary(b, kind, vector, qn_type_vec(b->cx, element, qn_vec_count(vector)));
}

qn_value *qn_vec_splat(qn_builder *b, int64_t value, const qn_type *element, int64_t count) {
  return qn_build_int(b, value, qn_type_vec(b->cx, element, count));
}

qn_value *qn_vec_reduce(qn_builder *b, const char *kind, qn_value *vector) {
  char text[32];
  int size = snprintf(text, sizeof text, "#vector.kind<%s>", kind);
  const qn_attr *attr = qn_attr_opaque(b->cx, (qn_str){text, (size_t)size});
  return qn_build_1(b, QN_OP_VECTOR_REDUCTION, qn_type_element(vector->type), QN_VALUES(vector),
                    QN_ATTRS({"kind", attr}));
}

qn_value *qn_vec_pack(qn_builder *b, qn_value *first, qn_value *second, bool to_unsigned) {
  uint32_t width = qn_type_element(first->type)->integer.width;
  QN_ASSERT(first->type == second->type && (width == 16 || width == 32));
  const qn_type *type = qn_type_vec(b->cx, qn_type_i(b->cx, width / 2), 2 * qn_vec_count(first));
  return qn_build_1(b, QN_OP_QUERN_PACK, type, QN_VALUES(first, second),
                    QN_ATTRS({"to_unsigned", qn_attr_bool(b->cx, to_unsigned)}));
}
