/* Runtime values of the interpreter, and the options of a run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_VALUE_H
#define QN_EVAL_VALUE_H

#include "ir/module.h"

/* A runtime value. A scalar is stored in `i` or `f`. A tensor or vector is stored in `data`, as
 * row-major elements of qn_type_bytes each (i1 as one byte). A memref refers to memory at `data`.
 * `type` is always static for tensors: it is tensor<2x4xf32> where the IR has tensor<?x4xf32> or
 * tensor<*xf32>. */
typedef struct qn_rt_value {
  const qn_type *type;
  int64_t i;        /* integers and index, sign-extended; i1 as 0 or 1 */
  double f;         /* floats */
  uint8_t *data;    /* memory of a tensor, vector or memref; not owned */
  int64_t size;     /* bytes at data */
  bool constant;    /* memref: a store is an error */
  int64_t capacity; /* bytes allocated at `data`, which the interpreter may reuse; callers set 0 */
} qn_rt_value;

/* Whether a tensor of the static type `type` is valid where the IR has the type `declared`, which
 * may be dynamic or unranked. */
bool qn_type_may_be(const qn_type *type, const qn_type *declared);
/* Element i of a tensor, vector or memref; scalars ignore i. */
int64_t qn_rt_int(const qn_rt_value *value, int64_t i);
double qn_rt_float(const qn_rt_value *value, int64_t i);
/* Number of elements; 1 for scalars. An element has 1, 2, 4, 8 or 16 bytes. */
static inline int64_t qn_rt_count(const qn_rt_value *value) {
  if (!qn_type_is_shaped(value->type)) return 1;
  uint32_t bytes = qn_type_bytes(value->type->shaped.element);
  return bytes ? value->size >> __builtin_ctz(bytes) : 0;
}

/* Called with every result of every op in the entry function's body (model and integer stages),
 * before other ops read it. The observer may overwrite the elements of a tensor, because no other
 * value shares its memory. */
typedef void qn_eval_observer(void *user, const qn_op *op, uint32_t result,
                              const qn_rt_value *value);

typedef struct qn_eval_options {
  qn_eval_observer *observe;
  void *user;
  int64_t max_steps; /* ops executed before QN_LIMIT; 0: no limit */
  bool pointwise;    /* run a linalg.generic one point at a time, which is slower (for tests) */
  /* Whether the operands of the op are meaningful values. If they are only placeholders, an
   * undefined result becomes 0 instead of an error. NULL: all operands are meaningful. */
  bool (*is_meant)(void *user, const qn_op *op);
} qn_eval_options;

#endif
