/* Packed weights and tables become private globals. Layers that share a payload (biases of zero,
 * equal tables) share the global, so the object holds it once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/constants.h"

#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/map.h"

typedef struct entry {
  const qn_type *type;
  qn_bytes payload;   /* payload of the initial value */
  qn_value *buffer;   /* memref.get_global in @main */
  struct entry *next; /* next entry with the same hash */
} entry;

struct qn_constant_cache {
  qn_map by_hash; /* hash, never 0, as a pointer -> entry */
  qn_op *last_global;
  uint32_t count;
};

/* Bytes from which a payload stays in a read-only file that the module refers to. Smaller payloads
 * are copied: a module finds the file of an address by a linear search. */
enum { LARGE_PAYLOAD = 64 << 10 };

qn_constant_cache *qn_constants_create(qn_loops *lo) { return QN_NEW(lo->kept, qn_constant_cache); }

void qn_constants_destroy(qn_constant_cache *cache) {
  if (cache) qn_map_deinit(&cache->by_hash);
}

static const void *hash_key(const qn_type *type, qn_bytes payload) {
  uint64_t hash = qn_hash_bytes((uint64_t)qn_type_elements(type), payload.data, payload.size);
  return (const void *)(uintptr_t)(hash | 1);
}

/* Globals precede the kernels, in the order of their first use. */
static qn_builder global_builder(qn_loops *lo) {
  qn_op *last = lo->constants->last_global;
  return last ? qn_builder_after(lo->module, last)
              : qn_builder_before(lo->module, qn_op_body(lo->module->op)->first);
}

static void release_file(void *owner) { qn_file_release(*(qn_file **)owner); }

/* Copies the payload into memory owned by the module, not by the context, because packed weights
 * are as large as the model. JIT code keeps using that memory after the module is destroyed. */
static qn_bytes keep_payload(qn_module *module, qn_bytes payload) {
  qn_file **file = qn_heap_own(sizeof(qn_file *), release_file);
  *file = qn_file_sealed(payload);
  qn_module_retain_file(module, *file);
  qn_bytes kept = qn_file_bytes(*file);
  qn_file_release(*file);
  qn_heap_free(file);
  return kept;
}

static entry *build_global(qn_loops *lo, const qn_type *type, qn_bytes payload) {
  qn_constant_cache *cache = lo->constants;
  qn_builder b = global_builder(lo);
  int64_t count = qn_type_elements(type);
  const qn_type *tensor = qn_type_tensor(lo->cx, type->shaped.element, 1, &count);
  bool large = payload.size >= LARGE_PAYLOAD;
  if (large) payload = keep_payload(lo->module, payload);
  const qn_attr *value = qn_attr_dense(lo->cx, tensor, payload, large);
  qn_str name = qn_arena_format(lo->scratch, "const_%u", cache->count++);
  cache->last_global = qn_build_0(
      &b, QN_OP_MEMREF_GLOBAL, NULL, 0,
      QN_ATTRS({"sym_name", qn_attr_string(lo->cx, name)},
               {"sym_visibility", qn_attr_string(lo->cx, qn_str_of("private"))},
               {"type", qn_attr_type(lo->cx, type)}, {"initial_value", value},
               {"constant", qn_attr_unit(lo->cx)}, {"alignment", qn_attr_i64(lo->cx, 64)}));
  entry *e = QN_NEW(lo->kept, entry);
  e->type = type;
  e->payload = value->dense.bytes;
  qn_builder in_main = qn_loops_outside(lo);
  e->buffer = qn_build_1(&in_main, QN_OP_MEMREF_GET_GLOBAL, type, NULL, 0,
                         QN_ATTRS({"name", qn_attr_symbol(lo->cx, name)}));
  return e;
}

qn_value *qn_constants_buffer(qn_loops *lo, const qn_type *buffer_type, qn_bytes payload) {
  payload = qn_payload_shrink(payload, qn_type_bytes(buffer_type->shaped.element));
  qn_map *map = &lo->constants->by_hash;
  const void *key = hash_key(buffer_type, payload);
  entry *chain = qn_map_get(map, key);
  for (entry *e = chain; e; e = e->next)
    if (e->type == buffer_type && e->payload.size == payload.size &&
        (payload.size == 0 || memcmp(e->payload.data, payload.data, payload.size) == 0))
      return e->buffer;
  entry *e = build_global(lo, buffer_type, payload);
  e->next = chain;
  qn_map_set(map, key, e);
  return e->buffer;
}

qn_value *qn_loops_constant(qn_loops *lo, const qn_type *element, qn_bytes bytes) {
  QN_ASSERT(bytes.size % qn_type_bytes(element) == 0);
  int64_t count = (int64_t)(bytes.size / qn_type_bytes(element));
  return qn_constants_buffer(lo, qn_type_buf(lo->cx, element, count), bytes);
}

qn_value *qn_constants_repeated(qn_loops *lo, const qn_value *tensor, const qn_type *element,
                                int64_t each, int64_t times) {
  QN_ASSERT(each > 0 && times > 0);
  qn_bytes once = qn_value_constant(tensor)->dense.bytes;
  size_t size = qn_type_bytes(element), count = (size_t)qn_type_elements(tensor->type);
  size_t all = count * (size_t)(each * times);
  uint8_t *bytes = qn_arena_alloc(lo->scratch, size * all);
  for (size_t i = 0; i < all; i++) {
    size_t from = i / (size_t)each % count * size % once.size; /* a splat has one element */
    memcpy(bytes + i * size, once.data + from, size);
  }
  return qn_loops_constant(lo, element, (qn_bytes){bytes, size * all});
}

const qn_attr *qn_loops_payload(const qn_op *op, uint32_t operand) {
  const qn_attr *payload = qn_value_constant(qn_op_operand(op, operand));
  QN_ASSERT(payload);
  return payload;
}
