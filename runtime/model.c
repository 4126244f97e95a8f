/* Instances: what belongs to an entry while it is in use.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/model.h"

#include <stdlib.h>

#include "runtime/arena.h"
#include "runtime/instance.h"

qn_status qn_instance_create(const qn_abi_model *entry, qn_instance **out_instance) {
  *out_instance = NULL;
  if (!entry || entry->version != QN_ABI_VERSION) return QN_INVALID;
  qn_instance *instance = calloc(1, sizeof *instance);
  if (!instance) return QN_LIMIT;
  instance->entry = entry;
  instance->arena = qn_runtime_arena_create(entry->arena_bytes);
  if (!instance->arena) {
    free(instance);
    return QN_LIMIT;
  }
  *out_instance = instance;
  return QN_OK;
}

void qn_instance_destroy(qn_instance *instance) {
  if (!instance) return;
  qn_pool_destroy(instance->pool);
  qn_runtime_arena_destroy(instance->arena);
  free(instance);
}

const qn_abi_model *qn_instance_entry(const qn_instance *instance) { return instance->entry; }

qn_status qn_instance_set_threads(qn_instance *instance, uint32_t threads) {
  qn_pool *pool = NULL;
  if (threads != 1) {
    qn_status status = qn_pool_create(threads, &pool);
    if (status != QN_OK) return status;
  }
  qn_pool_destroy(instance->pool);
  instance->pool = pool;
  return QN_OK;
}

uint32_t qn_instance_threads(const qn_instance *instance) {
  return instance->pool ? qn_pool_threads(instance->pool) : 1;
}
