/* Private to runtime/: the fields of an instance.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_INSTANCE_H
#define QN_RUNTIME_INSTANCE_H

#include "runtime/many.h"
#include "runtime/model.h"
#include "runtime/parallel.h"

struct qn_instance {
  const qn_abi_model *entry; /* borrowed */
  void *arena;               /* start of the allocation, which also holds: */
  void *states;
  const void *prepared;  /* prepared constants, which clones share; NULL if there are none */
  void *prepared_memory; /* the same memory in the instance that owns it; NULL in clones */
  qn_pool *pool;         /* NULL: only the caller's thread works */
  qn_crew *crew;      /* one instance per thread of the pool; NULL until the first run of many batch
                         elements */
  qn_watch_fn *watch; /* or NULL */
  void *watch_user;
  qn_abi_index sizes[];
};

#endif
