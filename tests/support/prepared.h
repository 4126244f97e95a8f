/* Prepared constants of a compiled model, for tests that call its functions themselves.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_PREPARED_H
#define QN_TESTS_PREPARED_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"

static inline void *prepared_memory(size_t bytes) {
  size_t size = (bytes + QN_ABI_ALIGN - 1) / QN_ABI_ALIGN * QN_ABI_ALIGN;
  void *memory = aligned_alloc(QN_ABI_ALIGN, size);
  if (!memory) abort();
  memset(memory, 0xA5, size); /* prepare fills it */
  return memory;
}

/* Memory that the model has prepared; the caller frees it. NULL if the model prepares nothing. */
static inline void *prepare_constants(const qn_abi_model *model) {
  size_t bytes = (size_t)qn_abi_prepared_bytes(model);
  if (bytes == 0) return NULL;
  void *prepared = prepared_memory(bytes);
  model->prepare(prepared);
  return prepared;
}

/* Invokes the model with constants that it prepares. Returns its result, or INT32_MIN if it works
 * without them, changes them in the call, or prepares other bytes a second time. */
static inline int32_t invoke_prepared(const qn_abi_model *model, qn_abi_call call) {
  size_t bytes = (size_t)qn_abi_prepared_bytes(model);
  if (bytes == 0) return model->invoke(&call);
  void *prepared = prepared_memory(bytes), *copy = prepared_memory(bytes);
  call.prepared = prepared;
  int32_t result = INT32_MIN;
  if (model->invoke(&call) == -1) {
    model->prepare(prepared);
    memcpy(copy, prepared, bytes);
    result = model->invoke(&call);
    if (memcmp(copy, prepared, bytes) != 0) result = INT32_MIN;
    model->prepare(prepared);
    if (memcmp(copy, prepared, bytes) != 0) result = INT32_MIN;
  }
  free(prepared);
  free(copy);
  return result;
}

#endif
