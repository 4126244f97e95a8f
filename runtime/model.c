/* Instances: the memory and threads with which a compiled model runs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/model.h"

#include <stdbool.h>
#include <stdlib.h>

#include "runtime/arena.h"
#include "runtime/instance.h"

/* Generated code uses the values of qn_abi_dtype, all other code those of qn_dtype. */
_Static_assert((int)QN_ABI_I8 == (int)QN_DTYPE_I8 && (int)QN_ABI_U8 == (int)QN_DTYPE_U8 &&
                   (int)QN_ABI_I16 == (int)QN_DTYPE_I16 && (int)QN_ABI_I32 == (int)QN_DTYPE_I32 &&
                   (int)QN_ABI_I64 == (int)QN_DTYPE_I64 && (int)QN_ABI_F32 == (int)QN_DTYPE_F32 &&
                   (int)QN_ABI_BOOL == (int)QN_DTYPE_BOOL && (int)QN_ABI_U16 == (int)QN_DTYPE_U16 &&
                   (int)QN_ABI_U32 == (int)QN_DTYPE_U32 && (int)QN_ABI_U64 == (int)QN_DTYPE_U64 &&
                   (int)QN_ABI_F16 == (int)QN_DTYPE_F16 && (int)QN_ABI_F64 == (int)QN_DTYPE_F64 &&
                   (int)QN_ABI_F64 + 1 == (int)QN_DTYPE_COUNT,
               "one numbering of element types");

/* Allocates arena and states in one block; the states begin at a multiple of the alignment. */
static bool allocate(qn_instance *instance) {
  const qn_abi_model *entry = instance->entry;
  if (entry->arena_bytes > UINT64_MAX / 2 || entry->state_bytes > UINT64_MAX / 4) return false;
  uint64_t arena = (entry->arena_bytes + QN_ABI_ALIGN - 1) / QN_ABI_ALIGN * QN_ABI_ALIGN;
  instance->arena = qn_runtime_arena_create(arena + entry->state_bytes);
  if (instance->arena) instance->states = (char *)instance->arena + arena;
  return instance->arena != NULL;
}

/* An instance without prepared constants. */
static qn_status create(const qn_abi_model *entry, qn_instance **out_instance) {
  *out_instance = NULL;
  if (!entry || !qn_abi_is_known(entry)) return QN_INVALID;
  if (entry->supported && !entry->supported()) return QN_UNSUPPORTED;
  qn_instance *instance = calloc(1, sizeof *instance + entry->size_count * sizeof *instance->sizes);
  if (!instance) return QN_LIMIT;
  instance->entry = entry;
  for (uint32_t k = 0; k < entry->size_count; k++) instance->sizes[k] = entry->sizes[k].bound;
  if (!allocate(instance)) {
    free(instance);
    return QN_LIMIT;
  }
  qn_instance_reset(instance);
  *out_instance = instance;
  return QN_OK;
}

static bool prepare(qn_instance *instance) {
  const qn_abi_model *entry = instance->entry;
  uint64_t bytes = qn_abi_prepared_bytes(entry);
  if (bytes == 0) return true;
  if (bytes > UINT64_MAX / 2) return false;
  instance->prepared_memory = qn_runtime_arena_create(bytes);
  if (!instance->prepared_memory) return false;
  entry->prepare(instance->prepared_memory);
  instance->prepared = instance->prepared_memory;
  return true;
}

qn_status qn_instance_create(const qn_abi_model *entry, qn_instance **out_instance) {
  qn_status status = create(entry, out_instance);
  if (status != QN_OK || prepare(*out_instance)) return status;
  qn_instance_destroy(*out_instance);
  *out_instance = NULL;
  return QN_LIMIT;
}

qn_status qn_instance_clone(const qn_instance *source, qn_instance **out_instance) {
  qn_status status = create(source->entry, out_instance);
  if (status == QN_OK) (*out_instance)->prepared = source->prepared;
  return status;
}

void qn_instance_destroy(qn_instance *instance) {
  if (!instance) return;
  qn_crew_destroy(instance->crew);
  qn_pool_destroy(instance->pool);
  qn_runtime_arena_destroy(instance->arena);
  qn_runtime_arena_destroy(instance->prepared_memory);
  free(instance);
}

const qn_abi_model *qn_instance_entry(const qn_instance *instance) { return instance->entry; }

qn_status qn_instance_set_threads(qn_instance *instance, uint32_t threads) {
  qn_pool *pool = NULL;
  if (threads != 1) {
    qn_status status = qn_pool_create(threads, &pool);
    if (status != QN_OK) return status;
  }
  qn_crew_destroy(instance->crew);
  instance->crew = NULL;
  qn_pool_destroy(instance->pool);
  instance->pool = pool;
  return QN_OK;
}

uint32_t qn_instance_threads(const qn_instance *instance) {
  return instance->pool ? qn_pool_threads(instance->pool) : 1;
}

void qn_instance_reset(qn_instance *instance) {
  if (instance->entry->reset) instance->entry->reset(instance->states);
}

void *qn_instance_state(qn_instance *instance, uint32_t k) {
  return (char *)instance->states + instance->entry->states[k].offset;
}

qn_status qn_instance_set_size(qn_instance *instance, uint32_t k, int64_t size) {
  if (size < 1 || size > instance->entry->sizes[k].bound) return QN_INVALID;
  instance->sizes[k] = size;
  return QN_OK;
}

int64_t qn_instance_size(const qn_instance *instance, uint32_t k) { return instance->sizes[k]; }
