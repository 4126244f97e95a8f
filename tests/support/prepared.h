/* Prepared constants of a compiled model, for tests that call its functions themselves.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_PREPARED_H
#define QN_TESTS_PREPARED_H

#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"

/* Memory that the model has prepared; the caller frees it. NULL if the model prepares nothing. */
static inline void *prepare_constants(const qn_abi_model *model) {
  size_t bytes = (size_t)qn_abi_prepared_bytes(model);
  if (bytes == 0) return NULL;
  size_t size = (bytes + QN_ABI_ALIGN - 1) / QN_ABI_ALIGN * QN_ABI_ALIGN;
  void *prepared = aligned_alloc(QN_ABI_ALIGN, size);
  if (!prepared) abort();
  memset(prepared, 0xA5, size); /* prepare fills it */
  model->prepare(prepared);
  return prepared;
}

#endif
