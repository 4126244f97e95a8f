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
  const void *prepared;  /* constants of the entry; NULL if it has none */
  void *prepared_memory; /* the same, of the instance that prepared them; NULL in clones */
  qn_pool *pool;         /* NULL: the caller's thread only */
  qn_crew *crew;         /* of as many instances as the pool has threads; NULL until it is wanted */
  qn_watch_fn *watch;    /* or NULL */
  void *watch_user;
  qn_abi_index sizes[];
};

#endif
