/* Dense payloads. Small ones are copied and interned like every attribute. A large borrowed payload
 * gets a separate attribute, because the context may outlive its file, and is compared by content.
 * A large copied payload is interned by its hash.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "base/hash.h"
#include "ir/attrs/attr.h"
#include "ir/types/float_format.h"
#include "ir/intern.h"

static bool same_payload(const qn_attr *a, const qn_attr *b) {
  return a->kind == b->kind && a->type == b->type && a->dense.hash == b->dense.hash &&
         a->dense.splat == b->dense.splat && a->dense.bytes.size == b->dense.bytes.size &&
         qn_str_equal(a->dense.key, b->dense.key) &&
         (a->dense.bytes.size == 0 ||
          memcmp(a->dense.bytes.data, b->dense.bytes.data, a->dense.bytes.size) == 0);
}

static const qn_attr *intern(qn_ir_context *cx, qn_attr attr, bool borrow) {
  qn_key_start(cx->attrs, attr.kind);
  qn_key_pointer(cx->attrs, attr.type);
  qn_key_bytes(cx->attrs, attr.dense.key.data, attr.dense.key.size);
  qn_key_i64(cx->attrs, (int64_t)attr.dense.hash);
  qn_key_i64(cx->attrs, (int64_t)attr.dense.bytes.size);
  const qn_attr *found = borrow ? NULL : qn_key_find(cx->attrs);
  if (found && same_payload(found, &attr)) return found;
  if (!borrow) {
    attr.dense.bytes.data = qn_arena_copy(&cx->arena, attr.dense.bytes.data, attr.dense.bytes.size);
  }
  attr.dense.key = attr.dense.key.size ? qn_arena_str(&cx->arena, attr.dense.key) : attr.dense.key;
  const qn_attr *made = qn_arena_copy(&cx->arena, &attr, sizeof attr);
  /* Different payloads can have the same hash: the first keeps the table entry, and equality
   * compares contents. */
  return borrow || found ? made : qn_key_add(cx->attrs, &cx->arena, made);
}

/* A constant without elements is stored as a splat. */
static qn_attr make(qn_attr_kind kind, const qn_type *shaped, qn_str key, qn_bytes bytes) {
  size_t element = qn_type_bytes(qn_type_element(shaped));
  int64_t elements = qn_type_elements(shaped), total = -1;
  QN_ASSERT(element > 0 && elements >= 0);
  if (elements == 0 && bytes.size == element) bytes.size = 0;
  bool fits = qn_checked_mul(elements, (int64_t)element, &total) && bytes.size == (size_t)total;
  bool splat = bytes.size == element && elements > 0;
  QN_ASSERT(fits || splat);
  uint64_t hash = qn_hash_bytes(element, bytes.data, bytes.size);
  return (qn_attr){.kind = kind, .type = shaped, .dense = {bytes, splat, key, hash}};
}

qn_bytes qn_payload_shrink(qn_bytes bytes, size_t element) {
  bool equal =
      bytes.size > element && memcmp(bytes.data, bytes.data + element, bytes.size - element) == 0;
  return equal ? (qn_bytes){bytes.data, element} : bytes;
}

const qn_attr *qn_attr_dense(qn_ir_context *cx, const qn_type *shaped, qn_bytes bytes,
                             bool borrow) {
  bytes = qn_payload_shrink(bytes, qn_type_bytes(qn_type_element(shaped)));
  qn_attr attr = make(QN_ATTR_DENSE, shaped, (qn_str){NULL, 0}, bytes);
  if (bytes.size <= QN_DENSE_INLINE) return intern(cx, attr, false);
  char key[24];
  int size = snprintf(key, sizeof key, "q%016llx", (unsigned long long)attr.dense.hash);
  attr.kind = QN_ATTR_RESOURCE;
  attr.dense.key = (qn_str){key, (size_t)size};
  return intern(cx, attr, borrow);
}

const qn_attr *qn_attr_resource(qn_ir_context *cx, const qn_type *shaped, qn_str key,
                                qn_bytes bytes, bool borrow) {
  return intern(cx, make(QN_ATTR_RESOURCE, shaped, key, bytes), borrow);
}

bool qn_attr_is_elements(const qn_attr *attr) {
  return attr->kind == QN_ATTR_DENSE || attr->kind == QN_ATTR_RESOURCE;
}

bool qn_attr_is_shaped(const qn_attr *attr) {
  return qn_attr_is_elements(attr) || attr->kind == QN_ATTR_ELIDED;
}

/* ---- equality ---- */

static bool equal_items(const qn_attr *a, const qn_attr *b) {
  if (a->kind == QN_ATTR_ARRAY) {
    if (a->array.count != b->array.count) return false;
    for (uint32_t i = 0; i < a->array.count; i++) {
      if (!qn_attr_equal(a->array.items[i], b->array.items[i])) return false;
    }
    return true;
  }
  if (a->kind != QN_ATTR_DICT || a->dict.count != b->dict.count) return false;
  for (uint32_t i = 0; i < a->dict.count; i++) {
    const qn_named_attr *x = &a->dict.items[i], *y = &b->dict.items[i];
    if (x->name.data != y->name.data || !qn_attr_equal(x->value, y->value)) return false;
  }
  return true;
}

bool qn_attr_equal(const qn_attr *a, const qn_attr *b) {
  if (a == b) return true;
  if (!a || !b || a->kind != b->kind) return false;
  return qn_attr_is_elements(a) ? same_payload(a, b) : equal_items(a, b);
}

uint64_t qn_attr_hash(const qn_attr *attr) {
  uint64_t hash = attr->kind;
  if (qn_attr_is_elements(attr)) return qn_hash_mix(hash, attr->dense.hash);
  if (attr->kind == QN_ATTR_ARRAY) {
    for (uint32_t i = 0; i < attr->array.count; i++) {
      hash = qn_hash_mix(hash, qn_attr_hash(attr->array.items[i]));
    }
    return hash;
  }
  if (attr->kind == QN_ATTR_DICT) {
    for (uint32_t i = 0; i < attr->dict.count; i++) {
      hash = qn_hash_mix(hash, (uintptr_t)attr->dict.items[i].name.data);
      hash = qn_hash_mix(hash, qn_attr_hash(attr->dict.items[i].value));
    }
    return hash;
  }
  return qn_hash_mix(hash, (uintptr_t)attr);
}

/* ---- elements ---- */

static const uint8_t *element_at(const qn_attr *dense, int64_t i, uint32_t bytes) {
  return dense->dense.bytes.data + (dense->dense.splat ? 0 : i * bytes);
}

int64_t qn_dense_int(const qn_attr *dense, int64_t i) {
  const qn_type *type = qn_type_element(dense->type);
  uint32_t bytes = qn_type_bytes(type);
  QN_ASSERT(bytes <= 8);
  uint64_t bits = 0;
  memcpy(&bits, element_at(dense, i, bytes), bytes);
  if (qn_type_is_int(type, 1)) return (int64_t)(bits & 1);
  uint32_t unused = 64 - 8 * bytes;
  bits <<= unused;
  return qn_type_is_unsigned(type) ? (int64_t)(bits >> unused) : (int64_t)bits >> unused;
}

/* Reads elements. Bytes have a fast path without type checks per element, because weights have
 * millions. */
void qn_dense_ints(const qn_attr *dense, int64_t first, int64_t step, int64_t count,
                   int32_t *out_values) {
  const qn_type *type = qn_type_element(dense->type);
  if (!qn_type_is_int(type, 8) || qn_type_is_unsigned(type) || dense->dense.splat) {
    for (int64_t i = 0; i < count; i++)
      out_values[i] = (int32_t)qn_dense_int(dense, first + i * step);
    return;
  }
  const int8_t *from = (const int8_t *)dense->dense.bytes.data + first;
  for (int64_t i = 0; i < count; i++) out_values[i] = from[i * step];
}

double qn_dense_float(const qn_attr *dense, int64_t i) {
  const qn_type *type = qn_type_element(dense->type);
  QN_ASSERT(type->kind == QN_TYPE_FLOAT);
  return qn_float_load(type->float_kind, element_at(dense, i, qn_type_bytes(type)));
}
